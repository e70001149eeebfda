"""Inputs as a person types them: `[NAME=]SHAPE[:DTYPE[:BELOW]]`, put together to the arguments of a call."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Any

from stetho.errors import UsageError
from stetho.inspect.call import Call

RULE = (
    "an input is [NAME=]SHAPE[:DTYPE[:BELOW]], as 1,3,32,32 or mask=4,16:bool or ids=4,16:int64:1000; "
    "a part of a dict or list has dots, as batch.ids=4,16:int64; a plain value has two signs, as causal==True"
)
_SPEC = re.compile(r"(?P<shape>\d+(,\d+)*,?)?(:(?P<dtype>[a-z]+\d*\w*)(:(?P<below>\d+))?)?")


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A tensor that is to be made: its shape, its type (None: that of the model), and a bound of whole numbers."""

    shape: tuple[int, ...]
    dtype: str | None = None
    below: int | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A value and the argument, or the part of an argument, that it is for; without a path it is the next one."""

    path: tuple[str, ...]
    value: Any


def parse_input(text: str) -> Given:
    """Read one `--input`.

    >>> parse_input("1,3,32,32:float16").value
    TensorSpec(shape=(1, 3, 32, 32), dtype='float16', below=None)
    >>> parse_input("batch.ids=4,16:int64:1000").path, parse_input("causal==True").value
    (('batch', 'ids'), True)
    """
    name, sign, plain = text.partition("==")
    if sign:
        try:
            return Given(_path(name, text), ast.literal_eval(plain))
        except (SyntaxError, ValueError):
            return Given(_path(name, text), plain)
    name, sign, spec = text.rpartition("=")
    found = _SPEC.fullmatch(spec.replace(" ", ""))
    if found is None or not spec:
        raise UsageError(f"`{text}` is no input; {RULE}")
    shape = tuple(int(size) for size in (found["shape"] or "").split(",") if size)
    below = int(found["below"]) if found["below"] else None
    return Given(_path(name, text) if sign else (), TensorSpec(shape, found["dtype"], below))


def arranged(given: Sequence[Given]) -> Call:
    """Arguments in their order and by their names; parts of one argument are put together.

    >>> arranged([Given((), "x"), Given(("batch", "ids"), 1), Given(("batch", "mask"), 2)])
    Call(args=('x',), kwargs={'batch': {'ids': 1, 'mask': 2}}, function=None)
    """
    tree: dict[str, Any] = {}
    for place, each in zip(count(), given, strict=False):
        path = each.path or (str(place),)
        branch = tree
        for key in path[:-1]:
            branch = branch.setdefault(key, {})
            if not isinstance(branch, dict):
                raise UsageError(f"`{'.'.join(each.path)}`: `{key}` is given as a whole and in parts; give one of them")
        branch[path[-1]] = each.value
    args = [tree.pop(str(place)) for place in takewhile(lambda place: str(place) in tree, range(len(tree)))]
    return Call(tuple(map(_whole, args)), {name: _whole(value) for name, value in tree.items()})


def _whole(value: Any) -> Any:
    """A dict whose keys count from 0 is a list."""
    if not isinstance(value, dict):
        return value
    parts = {key: _whole(part) for key, part in value.items()}
    is_list = list(parts) == [str(place) for place in range(len(parts))]
    return list(parts.values()) if is_list else parts


def _path(name: str, text: str) -> tuple[str, ...]:
    parts = tuple(name.strip().split("."))
    if not all(re.fullmatch(r"\w+", part) for part in parts):
        raise UsageError(f"`{text}` is no input; {RULE}")
    return parts
