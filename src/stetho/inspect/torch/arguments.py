"""Tensors for a model: made from shapes, or taken from a loader, without drawing from anybody's random state."""

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.utils.data import DataLoader

from stetho.capture.torch.autopsy.states import random_states, set_random_states
from stetho.errors import UsageError
from stetho.inspect.call import Call
from stetho.inspect.specs import TensorSpec
from stetho.inspect.torch.models import device_of, dtype_of

SAFE_BELOW = 2
"""Whole numbers are drawn below this where no bound is given: any table of an embedding has such rows."""
EXAMPLES = ("example_input_array", "dummy_inputs")
"""Where Lightning and transformers keep an input that a model is known to take."""


def is_tensor(value: object) -> bool:
    """Whether a value is a tensor, which is callable in no useful way."""
    return isinstance(value, (Tensor, Module))


def is_loader(value: object) -> bool:
    """Whether a value is a loader of batches."""
    return isinstance(value, DataLoader)


def filled(model: Module, call: Call) -> Call:
    """The call with a tensor in the place of each shape."""
    generator = torch.Generator().manual_seed(0)

    def fill(value: Any) -> Any:
        if isinstance(value, TensorSpec):
            return made(value, dtype_of(model), generator).to(device_of(model))
        if isinstance(value, list):
            return [fill(each) for each in value]
        return {name: fill(each) for name, each in value.items()} if isinstance(value, dict) else value

    return Call(tuple(map(fill, call.args)), {name: fill(value) for name, value in call.kwargs.items()})


def made(spec: TensorSpec, default: torch.dtype, generator: torch.Generator) -> Tensor:
    """A tensor as it is asked for: normal numbers, or whole ones below a bound.

    >>> made(TensorSpec((2, 3), "int64", 10), torch.float32, torch.Generator()).shape
    torch.Size([2, 3])
    """
    dtype = getattr(torch, spec.dtype, None) if spec.dtype else default
    if not isinstance(dtype, torch.dtype):
        raise UsageError(f"`{spec.dtype}` is no type of torch; known are float32, float16, bfloat16, int64, bool, …")
    if dtype.is_floating_point or dtype.is_complex:
        drawn = torch.randn(spec.shape, generator=generator, dtype=torch.complex64 if dtype.is_complex else None)
        return drawn.to(dtype)
    bound = SAFE_BELOW if spec.below is None or dtype == torch.bool else spec.below
    return torch.randint(0, max(bound, 1), spec.shape, generator=generator).to(dtype)


def first_batch(loader: Iterable[Any]) -> Any:
    """The first batch of a loader; the random state is as it was before."""
    states = random_states()
    try:
        return next(iter(loader))
    except StopIteration:
        raise UsageError("the loader is empty: it gives no batch") from None
    finally:
        set_random_states(states)


def own_example(model: Module) -> Call | None:
    """The call that a model brings with it as an example."""
    for name in EXAMPLES:
        try:
            found = getattr(model, name, None)
        except Exception:  # a property of the user's own
            continue
        if isinstance(found, Mapping):
            return Call((), {key: _moved(value, model) for key, value in found.items()})
        if isinstance(found, (Tensor, tuple)):
            return Call(tuple(_moved(each, model) for each in (found if isinstance(found, tuple) else (found,))))
    return None


def _moved(value: Any, model: Module) -> Any:
    return value.to(device_of(model)) if isinstance(value, Tensor) else value
