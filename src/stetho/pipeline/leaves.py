"""Samples of any make as named fields: dicts, tuples, dataclasses and objects are opened, arrays and texts are not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from numbers import Number
from typing import Any

DEEPEST = 6
MOST_POSITIONS = 16
MOST_NESTED_POSITIONS = 4
WHOLE = "sample"
"""The name of the only field of a sample that is a single value."""


def leaves(sample: Any, whole: str = WHOLE, size: int | None = None) -> list[tuple[str, Any]]:
    """Each value of a sample, or of a batch of some size, with its name; the items of a long list share one.

    >>> leaves({"image": 1.5, "target": {"boxes": [[0, 1]], "name": "cat"}})
    [('image', 1.5), ('target.boxes', [[0, 1]]), ('target.name', 'cat')]
    >>> leaves((0.5, 3)), leaves("text")
    ([('0', 0.5), ('1', 3)], [('sample', 'text')])
    """
    return [(name or whole, value) for name, value in _walk(sample, "", 0, size)]


def _walk(value: Any, name: str, depth: int, size: int | None) -> Iterator[tuple[str, Any]]:
    parts = _parts(value, size, is_top=depth == 0) if depth < DEEPEST else None
    if parts is None:
        yield name, value
        return
    for part, inner in parts:
        yield from _walk(inner, f"{name}.{part}" if name else part, depth + 1, size)


def _parts(value: Any, size: int | None, *, is_top: bool) -> list[tuple[str, Any]] | None:
    """The named parts of a container; None for a value that is not opened."""
    if isinstance(value, Mapping):
        return [(str(key), value[key]) for key in value]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(str(key), getattr(value, key)) for key in value._fields]
    if isinstance(value, tuple | list):
        return _positions(value, size, is_top=is_top)
    if isinstance(value, type) or _is_opaque(value):
        return None
    if is_dataclass(value):
        return [(each.name, getattr(value, each.name)) for each in fields(value)]
    # Graphs of torch_geometric, and what else can say itself what it holds.
    if callable(getattr(value, "to_dict", None)) and hasattr(value, "keys"):
        told = value.to_dict()
        return [(str(key), told[key]) for key in told] if isinstance(told, dict) else None
    held = {key: inner for key, inner in getattr(value, "__dict__", {}).items() if not key.startswith("_")}
    return list(held.items()) or None


def _positions(value: Sequence[Any], size: int | None, *, is_top: bool) -> list[tuple[str, Any]] | None:
    if not value:
        return None
    is_pair = is_top and isinstance(value, tuple)
    if not is_pair and _is_number(_first(value)):
        return None
    most = MOST_POSITIONS if is_top else MOST_NESTED_POSITIONS if isinstance(value, tuple) else 0
    # One item for each sample of a batch; a pair of arrays for a batch of two is a pair.
    if len(value) == size and not (is_top and _is_opaque(value[0])):
        most = 0
    return [(str(place) if len(value) <= most else "*", inner) for place, inner in enumerate(value)]


def _first(value: Any) -> Any:
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, Number)


def _is_opaque(value: Any) -> bool:
    """Whether a value is read as a whole: arrays, pictures, texts, numbers."""
    kind = type(value)
    return (
        value is None
        or isinstance(value, str | bytes | Number)
        or hasattr(value, "__array__")
        or hasattr(value, "__array_interface__")
        or kind.__module__.partition(".")[0] in ("builtins", "datetime", "pathlib", "torch", "numpy", "PIL", "_io")
    )
