"""Functions of torch by the names that people know them by, and the names of their arguments."""

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import resolve_name

from stetho.inspect.torch.overloads import positional_names

QUIET = {"__set__", "__delete__", "requires_grad_", "register_hook", "backward", "__repr__", "__format__"}
"""Calls that give a tensor or change one, and compute nothing."""
QUIET_ATTRIBUTES = {"grad", "data", "_base", "grad_fn"}
READS = {"item", "tolist", "__bool__", "__int__", "__float__", "__index__", "numpy"}
"""Calls that hand a value to Python, where the program may decide by it."""


def name_of(function: Any) -> str:
    """The plain name of a function.

    >>> name_of(Tensor.__rsub__), name_of(Tensor.relu_), name_of(Tensor.T.__get__), name_of(torch.ops.aten.mm.default)
    ('sub', 'relu', 'T', 'mm')
    """
    name = str(getattr(function, "__name__", type(function).__name__))
    if name == "__get__":
        return str(getattr(getattr(function, "__self__", None), "__name__", "attribute"))
    if name.startswith("__") and name.endswith("__"):
        name = name.strip("_")
        return name[1:] if name[0] in "ri" and hasattr(Tensor, f"__{name[1:]}__") else name
    return name.partition(".")[0].strip("_") or name


def is_quiet(function: Any) -> bool:
    """Whether a function computes nothing, though it gives a tensor.

    >>> is_quiet(Tensor.grad.__get__), is_quiet(Tensor.T.__get__)
    (True, False)
    """
    raw = getattr(function, "__name__", "")
    return raw in QUIET or (raw == "__get__" and name_of(function) in QUIET_ATTRIBUTES)


def is_told(function: Any) -> bool:
    """Whether a function matters that gives no tensor: it writes to one, or hands a value to Python."""
    return writes(function) or getattr(function, "__name__", "") in READS


def writes(function: Any) -> bool:
    """Whether a function only changes its first argument."""
    return getattr(function, "__name__", "") == "__setitem__"


def may_write(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a function is called to change what it is given, as far as its name and its arguments tell.

    >>> may_write(Tensor.add_, (), {}), may_write(torch.relu, (), {})
    (True, False)
    >>> may_write(torch.nn.functional.relu, (), {"inplace": True}), may_write(torch.nn.functional.relu, (1, True), {})
    (True, True)
    """
    raw = getattr(function, "__name__", "")
    if raw.endswith("_") and (not raw.endswith("__") or raw.startswith("__i") or raw == "__setitem__"):
        return True
    if kwargs.get("inplace") or kwargs.get("out") is not None:
        return True
    place = _inplace_at(function) if len(args) > 1 else None
    return place is not None and place < len(args) and args[place] is True


@functools.cache
def _inplace_at(function: Any) -> int | None:
    names = argument_names(function)
    return names.index("inplace") if "inplace" in names else None


def full_name(function: Any) -> str:
    """The dotted name under which a function can be found.

    >>> full_name(torch.nn.functional.relu)
    'torch.nn.functional.relu'
    """
    if getattr(function, "__name__", "") == "__get__":
        return f"torch.Tensor.{name_of(function)}"
    return str(resolve_name(function) or getattr(function, "__name__", function))


def argument_names(function: Any) -> tuple[str, ...]:
    """The names of a function's arguments in their order, as far as they are known.

    >>> argument_names(torch.nn.functional.relu), argument_names(torch.conv2d)[:3]
    (('input', 'inplace'), ('input', 'weight', 'bias'))
    """
    names = _in_python(function)
    if names is not None:
        return names
    schemas = torch._C._jit_get_schemas_for_operator(f"aten::{_plain_name(function)}")
    return tuple(argument.name for argument in schemas[0].arguments) if schemas else ()


def _in_python(function: Any) -> tuple[str, ...] | None:
    """The names that a function's signature gives, where it has one that names them all."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
        return None
    return tuple(each.name for each in parameters)


def _plain_name(function: Any) -> str:
    return str(getattr(function, "__name__", "")).partition(".")[0]


@functools.cache
def described(function: Any, kinds: tuple[type, ...]) -> tuple[str, str, tuple[str, ...], bool]:
    """Both names of a function, those of arguments of such kinds, and whether the last holds all that are left.

    >>> described(torch.nn.functional.relu, (Tensor, bool, int))
    ('relu', 'torch.nn.functional.relu', ('input', 'inplace', 'argument 2'), False)
    """
    names, is_open = _in_python(function), False
    if names is None:
        names, is_open = positional_names(_plain_name(function), kinds)
    if not is_open:
        names = (*names, *(f"argument {place}" for place in range(len(names), len(kinds))))
    return name_of(function), full_name(function), names, is_open


@functools.cache
def argument_defaults(function: Any) -> Mapping[str, Any]:
    """What a function takes for arguments that it is not given, as far as that is known and plain.

    >>> argument_defaults(torch.nn.functional.gelu), argument_defaults(torch.nn.functional.layer_norm)["eps"]
    ({'approximate': 'none'}, 1e-05)
    """
    try:
        given = {name: each.default for name, each in inspect.signature(function).parameters.items()}
    except (TypeError, ValueError):
        schemas = torch._C._jit_get_schemas_for_operator(f"aten::{getattr(function, '__name__', '')}")
        ways = [each.arguments for each in schemas if not any(argument.is_out for argument in each.arguments)]
        given = {each.name: each.default_value for each in ways[0]} if len(ways) == 1 else {}
    return {name: value for name, value in given.items() if isinstance(value, int | float | str | bool)}
