"""The native stack of a thread that dies: asked for, and read back from the text that the dying thread wrote."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby, takewhile
from pathlib import PurePath

TITLE = "Native stack (most recent call first):"
INTERPRETER = "the Python interpreter"
MADE_ON_THE_FLY = "code that was compiled at run time"
MOST_FRAMES = 24

_FRAME = re.compile(r"^(?P<file>[^(\s]+)\((?P<name>[^+)]*)(?:\+(?P<offset>0x[0-9a-f]+))?\)\s?\[0x[0-9a-f]+\]$")
_NAMELESS = re.compile(r"^\[0x[0-9a-f]+\]$")
"""A frame of code that belongs to no file, as kernels have that are compiled while the program runs."""
_INTERPRETER = re.compile(r"(^|/)(lib)?python[\d.]*(\.so[\d.]*)?$")


def enable(descriptor: int) -> None:
    """Have a dying thread write its native stack, too, where the extension was built."""
    with suppress(ImportError):
        from stetho.capture import _stacks

        _stacks.enable(descriptor)


def disable() -> None:
    """Give the signals back."""
    with suppress(ImportError):
        from stetho.capture import _stacks

        _stacks.disable()


def parted(text: str) -> tuple[list[str], str]:
    """The frames of the native stack in a dump, readable, and the rest of the dump.

    >>> parted('''Native stack (most recent call first):
    ... /lib/libc.so.6(gsignal+0x12)[0x7f]
    ... /usr/bin/python3.11(+0x1a)[0x55]
    ... Fatal Python error: Aborted''')
    (['gsignal (libc.so.6)', 'the Python interpreter'], 'Fatal Python error: Aborted')
    """
    before, title, after = text.partition(TITLE + "\n")
    if not title:
        return [], text
    lines = after.splitlines()
    named = [_readable(line) for line in takewhile(_is_frame, lines)]
    return [name for name, _ in groupby(named)][:MOST_FRAMES], before + "\n".join(lines[len(named) :])


def drawn(frames: Sequence[str]) -> Iterator[str]:
    """The lines to show for a native stack; none without one."""
    if frames:
        yield ""
        yield TITLE
        yield from (f"  {frame}" for frame in frames)


def _is_frame(line: str) -> bool:
    return bool(_FRAME.match(line) or _NAMELESS.match(line))


def _readable(line: str) -> str:
    found = _FRAME.match(line)
    if found is None:
        return MADE_ON_THE_FLY
    if _INTERPRETER.search(found["file"]):
        return INTERPRETER
    return f"{_demangled(found['name']) or found['offset']} ({PurePath(found['file']).name})"


def _demangled(name: str) -> str:
    """A C++ name as it was written, without its arguments; other names as they are."""
    if not name.startswith("_Z"):
        return name
    import ctypes

    with suppress(OSError, AttributeError):
        demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
        demangle.restype = ctypes.c_char_p
        written = demangle(name.encode(), None, None, None)
        if written:
            return str(written.decode(errors="replace")).partition("(")[0]
    return name
