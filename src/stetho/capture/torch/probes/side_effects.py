"""Whether a model may be called once more: its own code is read for what a copy would not keep to itself."""

import dis
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from torch import Tensor
from torch.nn import Module

from stetho.capture.source import is_user_code

TELLING = frozenset(
    ("Popen", "_exit", "abort", "add_histogram", "add_image", "add_scalar", "dump", "exit", "input", "kill", "makedirs",
     "mkdir", "open", "print", "save", "savefig", "savetxt", "sleep", "system", "unlink", "urlopen", "write",
     "writelines")
)  # fmt: skip
TELLING_MODULES = frozenset(("ctypes", "mlflow", "requests", "shutil", "socket", "subprocess", "wandb"))
"""Of these, what their functions do cannot be undone, whatever they are called."""
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
    """`forward`, and the methods and functions of the program's that it leads to."""
    waiting: list[tuple[str, Any, int]] = [("forward", getattr(kind, "forward", None), 0)]
    seen = set()
    while waiting:
        name, function, depth = waiting.pop()
        code = getattr(function, "__code__", None)
        if code is None or code in seen or not is_user_code(code):
            continue
        seen.add(code)
        yield name, function
        if depth < DEEPEST:
            waiting += [(each, found, depth + 1) for each, found in _led_to(kind, function)]


def _led_to(kind: type, function: Any) -> Iterator[tuple[str, Any]]:
    """What may be meant by the names in a function: methods, functions beside it, around it, and of other files."""
    scope, names = function.__globals__, function.__code__.co_names
    files = [vars(scope[name]) for name in names if isinstance(scope.get(name), ModuleType)]
    for name in names:
        if name not in ("__init__", "forward"):
            yield from ((name, found) for found in (getattr(kind, name, None), scope.get(name)))
            yield from ((name, file.get(name)) for file in files)
    yield from _from_around(function)


def _from_around(function: Any) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        with suppress(ValueError):  # not filled yet
            yield name, cell.cell_contents


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
    yield from ((name, value) for name, value in _from_around(function) if name != "__class__")


def _may_change(value: Any, changes: bool) -> bool:
    """Whether a call could leave something behind in a variable from outside."""
    if isinstance(value, CONTAINERS):
        return changes
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] in TELLING_MODULES
    is_framework = type(value).__module__.split(".")[0] in ("torch", "numpy", "builtins", "functools", "math")
    return isinstance(value, Module) or not (isinstance(value, (*PLAIN, Tensor)) or is_framework)
