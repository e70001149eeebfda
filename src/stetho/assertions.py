"""Assertions for inside of models: they pass their tensor through, or say what is wrong with it in one line."""

from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")
MOST_SHOWN = 3


def assert_finite(tensor: T, name: str = "tensor") -> T:
    """Return the tensor, or raise AssertionError that tells how many values are not finite and where.

    >>> import torch
    >>> assert_finite(torch.ones(2))
    tensor([1., 1.])
    >>> assert_finite(torch.tensor([1.0, float("nan")]), "logits")
    Traceback (most recent call last):
    AssertionError: `logits` (float32[2]) has 1 value of 2 that is not finite: nan at [1]
    """
    import torch

    value: Any = tensor
    wrong = ~torch.isfinite(value.detach())
    count = int(wrong.sum())
    if count:
        places = wrong.nonzero()[:MOST_SHOWN].tolist()
        shown = ", ".join(f"{value[tuple(place)].item():g} at {place}" for place in places)
        more = ", …" if count > MOST_SHOWN else ""
        verb = "value of {} that is" if count == 1 else "values of {} that are"
        raise AssertionError(
            f"`{name}` ({_kind(value)}) has {count} {verb.format(value.numel())} not finite: {shown}{more}"
        )
    return tensor


def assert_shape(tensor: T, shape: Sequence[int | str | None], name: str = "tensor") -> T:
    """Return the tensor, or raise AssertionError.

    A number must match, None matches all, and a name matches the same size wherever it stands.

    >>> import torch
    >>> assert_shape(torch.zeros(4, 3), ("batch", 3)).shape
    torch.Size([4, 3])
    >>> assert_shape(torch.zeros(4, 3), ("n", "n"), "matrix")
    Traceback (most recent call last):
    AssertionError: `matrix` has shape [4, 3], expected [n, n]: axis 1 is 3, n is 4
    """
    actual = list(tensor.shape)  # type: ignore[attr-defined]  # any object with a shape will do
    expected = "[" + ", ".join("*" if size is None else str(size) for size in shape) + "]"
    if len(actual) != len(shape):
        raise AssertionError(
            f"`{name}` has shape {actual}, expected {expected}: {len(actual)} axes instead of {len(shape)}"
        )
    bound: dict[str, int] = {}
    for axis, (size, wanted) in enumerate(zip(actual, shape, strict=True)):
        if wanted is None:
            continue
        target = bound.setdefault(wanted, size) if isinstance(wanted, str) else wanted
        if size != target:
            meaning = f"{wanted} is {target}" if isinstance(wanted, str) else f"not {target}"
            raise AssertionError(f"`{name}` has shape {actual}, expected {expected}: axis {axis} is {size}, {meaning}")
    return tensor


def _kind(tensor: Any) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"
