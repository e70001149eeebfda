"""Whether a model may be called once more: its own code is read for what a copy would not keep to itself."""

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from torch import Tensor
from torch.nn import Module

from stetho.capture.source import is_user_code

TELLING = frozenset(
    ("add_histogram", "add_image", "add_scalar", "dump", "input", "open", "print", "save", "savefig", "savetxt",
     "sleep", "system", "urlopen", "write", "writelines")
)  # fmt: skip
CHANGING = frozenset(("add", "append", "clear", "extend", "insert", "pop", "popleft", "setdefault", "update"))
CONTAINERS = (bytearray, dict, list, set)
PLAIN = (int, float, complex, str, bytes, tuple, frozenset, type(None), type, FunctionType, MethodType, ModuleType)
DEEPEST = 3


def reason_against(module: Module) -> str | None:
    """Why a copy of the model should not be called; None if there is no reason.

    >>> class Loud(Module):
    ...     def forward(self, x): print(x); return x
    >>> reason_against(Loud())
    'Loud.forward uses `print`'
    """
    kinds = {type(part) for part in module.modules()}
    for kind in sorted(kinds, key=lambda each: each.__name__):
        for name, function in own_functions(kind):
            found = _telling(function)
            if found is not None:
                return f"{kind.__name__}.{name} uses `{found}`"
    return None


def own_functions(kind: type) -> Iterator[tuple[str, Any]]:
    """`forward`, and the methods of the program's that it leads to."""
    waiting, seen = [("forward", 0)], set()
    while waiting:
        name, depth = waiting.pop()
        function = getattr(kind, name, None)
        code = getattr(function, "__code__", None)
        if name in seen or code is None or not is_user_code(code):
            continue
        seen.add(name)
        yield name, function
        if depth < DEEPEST:
            waiting += [(each, depth + 1) for each in code.co_names if each not in ("__init__", "forward")]


def _telling(function: Any) -> str | None:
    code: CodeType = function.__code__
    named = next((name for name in code.co_names if name in TELLING), None)
    if named is not None:
        return named
    steps = list(dis.get_instructions(code))
    stored = next((step.argval for step in steps if step.opname == "STORE_GLOBAL"), None)
    if stored is not None:
        return str(stored)
    changes = bool(CHANGING & set(code.co_names)) or any(step.opname == "STORE_SUBSCR" for step in steps)
    return next((name for name, value in _from_outside(function, steps) if _may_change(value, changes)), None)


def _from_outside(function: Any, steps: list[dis.Instruction]) -> Iterator[tuple[str, Any]]:
    """The variables of other scopes that a function reads."""
    for step in steps:
        if step.opname == "LOAD_GLOBAL" and step.argval in function.__globals__:
            yield step.argval, function.__globals__[step.argval]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        if name != "__class__":
            yield name, cell.cell_contents


def _may_change(value: Any, changes: bool) -> bool:
    """Whether a call could leave something behind in a variable from outside."""
    if isinstance(value, CONTAINERS):
        return changes
    is_framework = type(value).__module__.split(".")[0] in ("torch", "numpy", "builtins", "functools", "math")
    return isinstance(value, Module) or not (isinstance(value, (*PLAIN, Tensor)) or is_framework)
