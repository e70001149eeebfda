"""Which of a function's forms is called: functions of torch take other arguments by what they are given."""

import functools
from typing import Any

import torch
from torch import Tensor

TYPES = {"dtype": torch.dtype, "layout": torch.layout, "memory_format": torch.memory_format}
"""Arguments that schemas call whole numbers, and that no whole number is given for."""
TAKEN: dict[str, tuple[type, ...]] = {
    "Tensor": (Tensor,),
    "int": (int,),
    "bool": (bool,),
    "float": (float, int),
    "number": (float, int, complex),
    "str": (str,),
    "Device": (torch.device, str),
}
ROWS = {"List[int]": "int", "List[Tensor]": "Tensor"}
NUMBERS = ("int", "float", "number")


@functools.cache
def positional_names(name: str, kinds: tuple[type, ...]) -> tuple[tuple[str, ...], bool]:
    """The names of the places that arguments of such kinds are for, and whether the last holds all that are left.

    >>> positional_names("arange", (int, int)), positional_names("reshape", (Tensor, int, int))
    ((('start', 'end'), False), (('self', 'shape'), True))
    """
    forms = [
        [each for each in schema.arguments if not each.kwarg_only]
        for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    ]
    # A tensor of one element is taken for a number where no form wants a tensor there.
    for is_number in (False, True):
        for form in forms:
            if len(kinds) <= len(form) and all(map(_Takes(is_number), form, kinds)):
                return tuple(each.name for each in form[: len(kinds)]), False
        for form in forms:
            taken = _with_a_list_in_a_row(form, kinds, _Takes(is_number))
            if taken:
                return tuple(each.name for each in form[:taken]), True
    return tuple(each.name for each in forms[0]) if forms else (), False


def _with_a_list_in_a_row(form: list[Any], kinds: tuple[type, ...], takes: "_Takes") -> int:
    """How many arguments a call fills that gives a list, as of sizes, without brackets; 0 where it is no such call."""
    for place, argument in enumerate(form[: len(kinds)]):
        wanted, _ = _kind(argument)
        if wanted in ROWS:
            return place + 1 if all(takes.as_one(ROWS[wanted], kind) for kind in kinds[place:]) else 0
        if not takes(argument, kinds[place]):
            return 0
    return 0


class _Takes:
    """Whether an argument of a form takes a value of a kind."""

    def __init__(self, is_number: bool) -> None:
        self._is_number = is_number

    def __call__(self, argument: Any, kind: type) -> bool:
        wanted, is_optional = _kind(argument)
        if kind is type(None):
            return is_optional
        if argument.name in TYPES:
            return issubclass(kind, TYPES[argument.name])
        if wanted.startswith("List["):
            # One number stands for as many of it as the list has.
            return issubclass(kind, (tuple, list)) or (wanted == "List[int]" and self.as_one("int", kind))
        return self.as_one(wanted, kind)

    def as_one(self, wanted: str, kind: type) -> bool:
        """Whether it takes a single value of that kind."""
        if issubclass(kind, Tensor) and wanted in NUMBERS:
            return self._is_number
        # A bool is an int to Python, and is none to the functions of torch.
        return issubclass(kind, TAKEN.get(wanted, ())) and (kind is not bool or wanted == "bool")


def _kind(argument: Any) -> tuple[str, bool]:
    text = str(argument.type)
    inner = text.removeprefix("Optional[")
    return (inner[:-1], True) if inner != text else (text, False)
