"""What is refused in files of others, and how it is told without doing harm itself."""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stetho.errors import CheckpointDamaged, CheckpointError, CheckpointRefused, StethoError

MOST_TIMES = 200
"""Bytes of tensors for each byte of a file: weights shrink little, unless nearly all of them are zero."""

ALWAYS_ALLOWED = 1 << 30

LONGEST_SHOWN = 200

UNSEEN = ("Cc", "Cs", "Zl", "Zp")

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def refuse_bomb(path: Path, size: int, unpacked: int) -> None:
    """CheckpointRefused when far more would come out of a file than lies in it.

    >>> refuse_bomb(Path("a.npz"), 1000, 100_000)
    """
    if unpacked > max(MOST_TIMES * size, ALWAYS_ALLOWED):
        raise CheckpointRefused(
            f"{path}: {size:,} bytes would unpack to {unpacked:,}; "
            f"more than {MOST_TIMES} times the size is taken for a bomb that fills the memory or never ends"
        )


def safe_name(name: object) -> str:
    """A name as it is; CheckpointRefused when it holds signs that would do something to a terminal.

    >>> safe_name("fc.weight")
    'fc.weight'
    """
    text = str(name)
    if len(text) < 1000 and text.isascii() and text.isprintable():
        return text
    if len(text) > 10_000 or any(unicodedata.category(sign) in UNSEEN or sign in TURNING for sign in text):
        raise CheckpointRefused(
            f"a tensor is named `{shown(text)}`; names hold no control signs and at most 10,000 letters, "
            "so the file may be made to deceive"
        )
    return text


def shown(text: str) -> str:
    """A text from a file in a message: control signs escaped, not too long.

    >>> shown("a\\x1b[31m")
    'a\\\\x1b[31m'
    """
    cut = text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
    return "".join(
        sign.encode("unicode_escape").decode() if unicodedata.category(sign) in UNSEEN or sign in TURNING else sign
        for sign in cut
    )


@contextmanager
def damage_named(what: str) -> Iterator[None]:
    """Turn whatever a reader or a library stumbles over into one error that names the place."""
    try:
        yield
    except CheckpointError as error:
        # Readers name the file as it is, and its name may hold signs of its own.
        said = str(error).replace(what, shown(what)) if what else str(error)
        raise type(error)(said if shown(what) in said else f"{shown(what)}: {said}") from error
    except StethoError:
        raise
    except PermissionError as error:
        raise CheckpointError(f"{shown(what)}: may not be read ({error.strerror}); check its permissions") from error
    except Exception as error:
        said = shown(str(error)) or type(error).__name__
        raise CheckpointDamaged(f"{shown(what)}: cannot be read ({said}); the file was cut off or changed") from error
