"""How the text of the program is asked: a reader that fails on it tells nothing."""

from collections.abc import Callable
from typing import Any

Pointed = tuple[str | None, str, str | None]
"""A line, a word for what it is given, and the line where that is made."""


def told(reader: Callable[..., str | None], line: str | None, *arguments: Any) -> str | None:
    """What a reader of the text says of a line.

    >>> told(lambda line: line.upper(), "train.py:3"), told(lambda line: line.upper(), None)
    ('TRAIN.PY:3', None)
    """
    try:
        return reader(line, *arguments) if line else None
    except Exception:
        return None
