"""Seeds that a data set sets whenever it makes a sample. Its code is read, nothing is run."""

import dis
from collections.abc import Iterator
from types import CodeType
from typing import Any

DRAWING = ("__getitem__", "__getitems__", "__call__", "forward")
SEEDING = frozenset(("default_rng", "manual_seed", "seed", "RandomState", "Random"))
SILENT = frozenset(("CACHE", "PUSH_NULL", "PRECALL", "RESUME", "EXTENDED_ARG", "NOP"))
DEPTH = 2


def fixed_seed(dataset: Any, depth: int = DEPTH) -> str | None:
    """The line where a data set, or a part of it, seeds random numbers with the same value for every sample.

    >>> import random
    >>> class Shifted:
    ...     def __getitem__(self, index): return index + random.Random(7).random()
    >>> class Own:
    ...     def __getitem__(self, index): return index + random.Random(index).random()
    >>> fixed_seed(Shifted()) is not None, fixed_seed(Own()) is not None
    (True, False)
    """
    for function in _drawing(type(dataset)):
        line = _seeding_line(function, type(dataset))
        if line is not None:
            return f"{function.__code__.co_filename}:{line}"
    held = getattr(dataset, "__dict__", {}) if depth > 0 else {}
    parts = [part for value in held.values() for part in (value if isinstance(value, list | tuple) else [value])[:8]]
    own = (part for part in parts if type(part).__module__.split(".")[0] not in ("builtins", "torch", "numpy"))
    return next((line for line in (fixed_seed(part, depth - 1) for part in own) if line is not None), None)


def _drawing(kind: type) -> Iterator[Any]:
    """The methods that make samples, and the methods that those call."""
    waiting, seen = [*DRAWING], set()
    while waiting:
        name = waiting.pop()
        method = getattr(kind, name, None)
        code = getattr(method, "__code__", None)
        if name not in seen and code is not None and name != "__init__":
            seen.add(name)
            waiting += code.co_names
            yield method


def _seeding_line(function: Any, kind: type) -> int | None:
    """The line of a call such as `default_rng(0)` that is reached every time."""
    steps = [step for step in dis.get_instructions(function) if step.opname not in SILENT]
    line = function.__code__.co_firstlineno
    for place, step in enumerate(steps):
        line = (step.positions.lineno if step.positions else None) or line
        if "JUMP" in step.opname or step.opname in ("FOR_ITER", "SEND"):
            return None  # What comes after a condition may be meant for some samples only.
        if step.argval in SEEDING and step.opname.startswith("LOAD_"):
            end = next((n for n in range(place + 1, len(steps)) if steps[n].opname.startswith("CALL")), None)
            if end is not None and _is_constant(steps[place + 1 : end], function, kind):
                return line
    return None


def _is_constant(argument: list[dis.Instruction], function: Any, kind: type) -> bool:
    """Whether an argument is a number, a number of the module, or a seed that the object was made with."""
    loads = [step for step in argument if step.opname.startswith("LOAD_")]
    if len(loads) != len(argument):
        return False
    if len(loads) == 1:
        value = loads[0].argval
        is_global = loads[0].opname.startswith(("LOAD_GLOBAL", "LOAD_NAME"))
        value = function.__globals__.get(value) if is_global else value
        return isinstance(value, int) and (is_global or "CONST" in loads[0].opname or "INT" in loads[0].opname)
    is_own = len(loads) == 2 and loads[0].argval == function.__code__.co_varnames[0] and "seed" in str(loads[1].argval)
    return is_own and not _changes_later(kind, str(loads[1].argval))


def _changes_later(kind: type, attribute: str) -> bool:
    """Whether a method other than `__init__` sets an attribute."""
    codes = [getattr(getattr(kind, name, None), "__code__", None) for name in dir(kind) if name != "__init__"]
    return any(
        step.opname == "STORE_ATTR" and step.argval == attribute
        for code in codes
        if isinstance(code, CodeType)
        for step in dis.get_instructions(code)
    )
