"""Single fields of model.json, which somebody else may have written: of the wanted kind, or nothing."""

from collections.abc import Sequence
from typing import Any

from stetho.store import loose

Data = dict[str, Any]


def text(data: Data, name: str) -> str | None:
    """A text, or None where there is none."""
    value = data.get(name)
    return value if isinstance(value, str) and value else None


def whole(data: Data, name: str) -> int:
    """A whole number, or 0."""
    return loose.whole(data.get(name)) or 0


def truth(data: Data, name: str) -> bool | None:
    """True or false, or None where neither is said."""
    value = data.get(name)
    return value if isinstance(value, bool) else None


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def shape(value: object) -> tuple[int, ...] | None:
    """A list of whole numbers, as a shape."""
    return tuple(value) if isinstance(value, list) and all(type(each) is int for each in value) else None


def rest(data: Data, known: Sequence[str]) -> Data:
    """All other fields."""
    return {name: value for name, value in data.items() if name not in known}


def numbers(value: object) -> tuple[float, ...]:
    """The numbers of a list, 0 for what is none."""
    return tuple(loose.number(each) or 0.0 for each in value) if isinstance(value, list) else ()
