"""How the text of the program is asked: a reader that fails on it tells nothing."""

from collections.abc import Callable
from typing import Any, TypeVar

Pointed = tuple[str | None, str, str | None]
"""A line, a word for what it is given, and the line where that is made."""


R = TypeVar("R")


def told(reader: Callable[..., R | None], asked: Any, *arguments: Any) -> R | None:
    """What a reader of the text says of a line, a file or whatever it is asked about; nothing of nothing.

    >>> told(lambda line: line.upper(), "train.py:3"), told(lambda line: line.upper(), None)
    ('TRAIN.PY:3', None)
    """
    try:
        return reader(asked, *arguments) if asked else None
    except Exception:
        return None
