"""What went into an operation at the place where its result is bad."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from stetho.capture.torch.autopsy.nonfinite import BadPlaces, bad_places, can_be_bad
from stetho.capture.torch.autopsy.ops import Evidence, Operand, Value
from stetho.capture.torch.failure.tensors import tensor_line

MOST_OPERANDS = 4


class Overwritten(NamedTuple):
    """Stands for an argument that the operation has changed, and of which there is no copy."""

    text: str


def evidence_of(func: Any, args: Any, kwargs: Any, result: Any) -> Evidence | None:
    """Index, value and operands of the first bad value that an operation made."""
    found = next(_bad_results(result), None)
    if found is None:
        return None
    made, places = found
    index = places.first
    names = [argument.name for argument in func._schema.arguments]
    given = [*zip(names, args, strict=False), *kwargs.items()]
    operands = [_operand(name, value, made, index) for name, value in given if _is_worth_telling(name, value)]
    return Evidence(
        index=index,
        shape=tuple(made.shape),
        dtype=str(made.dtype).removeprefix("torch."),
        bad=places.count,
        result=_text(_at(made, made, index)),
        operands=operands[:MOST_OPERANDS],
        rows=places.rows,
        facts=_facts([value for _, value in given]),
    )


def _bad_results(value: Any) -> Iterator[tuple[Tensor, BadPlaces]]:
    for each in value if isinstance(value, (tuple, list)) else (value,):
        places = bad_places(each) if can_be_bad(each) else None
        if places is not None:
            yield each, places


def _is_worth_telling(name: str, value: Any) -> bool:
    if isinstance(value, Tensor | Overwritten):
        return True
    return isinstance(value, float) or (isinstance(value, int) and name in ("other", "exponent", "value", "correction"))


def _operand(name: str, value: Any, made: Tensor, index: tuple[int, ...]) -> Operand:
    if isinstance(value, Overwritten):
        return Operand(name, f"{value.text}, changed in place")
    if not isinstance(value, Tensor):
        return Operand(name, _text(value), value)
    return Operand(name, tensor_line(value), _at(value, made, index))


def _at(value: Tensor, made: Tensor, index: tuple[int, ...]) -> Value:
    """The element of an input that stands where the bad element of the result does; None where shapes do not tell."""
    try:
        dense = value.detach() if value.layout is torch.strided else value.detach().to_dense()
        number = dense.expand(made.shape)[index].item()
    except (RuntimeError, IndexError):
        return None
    if isinstance(number, complex):
        return str(complex(float(f"{number.real:.4g}"), float(f"{number.imag:.4g}")))
    return number


def _facts(given: list[Any]) -> dict[str, float]:
    """How large the first input is, its range, and over how many of its elements the operation goes."""
    first = next((value for value in given if can_be_bad(value)), None)
    if first is None:
        return {}
    facts = {"elements": float(first.numel())}
    values = first.detach() if first.layout is torch.strided else first.detach()._values()
    if values.numel() and not values.is_complex():
        numbers = values.float() if values.dtype.itemsize < 4 else values
        facts |= {"low": float(numbers.min()), "high": float(numbers.max())}
    dims = next((value for value in given if _is_dims(value)), None)
    if first.dim() and dims is not None and first.layout is torch.strided:
        facts["along"] = _along(first, dims)
    return facts


def _is_dims(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, (tuple, list)) and all(isinstance(each, int) for each in value))


def _along(first: Tensor, dims: Any) -> float:
    """Over how many elements an operation goes that works along dimensions."""
    total = 1.0
    for dim in [dims] if isinstance(dims, int) else list(dims) or range(first.dim()):
        if not -first.dim() <= dim < first.dim():
            return float(first.numel())
        total *= first.shape[dim]
    return total


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
