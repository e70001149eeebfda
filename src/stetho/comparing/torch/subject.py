"""A model that is compared: a copy of it, its call, and its weights as plain arrays."""

import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module

from stetho.comparing.models.trace import INPUT, Array, Trace
from stetho.comparing.torch.capture import in_double, original_dtype, trace
from stetho.errors import UsageError
from stetho.inspect.call import Call
from stetho.inspect.inputs import call_of, named_arguments, taken_names
from stetho.inspect.torch.ledger import tensors_in
from stetho.inspect.torch.models import is_model


class Subject:
    """A copy of a model that is run for a comparison; the model itself is left as it is.

    With `precise`, it computes in double precision: rounding is then far below what any fault does.
    """

    def __init__(self, model: Module, call: Call, name: str, *, training: bool = False, precise: bool = True) -> None:
        self.name, self.kind = name, type(model).__name__
        self.dtype = original_dtype(model)
        self.model = _copied(model, name)
        self.model.train(training)
        for parameter in self.model.parameters():
            parameter.requires_grad_(parameter.is_floating_point() or parameter.is_complex())
        if precise:
            self.model.double()
        self.call = in_double(call) if precise else call
        self._is_precise = precise
        self._known: Trace | None = None

    def trace(self, gradients_of: Sequence[int] | None = None, kinds: Collection[str] = (INPUT,)) -> Trace:
        """Call the model and keep all it computes; without gradients, it is called once until its weights change.

        Gradients are taken by weights, and by sites of these kinds.
        """
        if gradients_of is None and self._known is not None:
            return self._known
        with _making(torch.float64 if self._is_precise else torch.get_default_dtype()):
            found = trace(self.model, self.call, self.name, gradients_of=gradients_of, kinds=kinds)
        found.original_dtype = self.dtype
        if gradients_of is None:
            self._known = found
        return found

    def opened(self, function: str) -> Trace:
        """Call the model, and keep all it computes, with this function in smaller steps."""
        with _making(torch.float64 if self._is_precise else torch.get_default_dtype()):
            found = trace(self.model, self.call, self.name, opening=function)
        found.original_dtype = self.dtype
        return found

    def take(self, weights: Mapping[str, Array]) -> None:
        """Put values into tensors of these names."""
        state = self.model.state_dict(keep_vars=True)
        for name, value in weights.items():
            given = torch.from_numpy(value.copy()).to(state[name].detach())
            if not torch.equal(state[name], given):
                # What was captured lies in the old memory.
                state[name].data = given
                self._known = None


@contextmanager
def _making(dtype: torch.dtype) -> Iterator[None]:
    """Numbers that a model makes on the way, as angles of positions, are of this type where nobody asks for another."""
    was = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(was)


def subjects_of(
    models: tuple[Any, Any], inputs: Any, names: tuple[str, str], *, training: bool = False
) -> tuple[tuple[Subject, Subject], list[str]]:
    """Both models in double precision, or in their own types where one of them cannot do that; and notes on it."""
    calls = two_calls(models, inputs)
    for precise in (True, False):
        pair = [
            Subject(model, call, name, training=training, precise=precise)
            for model, call, name in zip(models, calls, names, strict=True)
        ]
        try:
            for subject in pair:
                subject.trace()
        except Exception as error:
            if not precise:
                raise UsageError(
                    f"{subject.name} fails on this input: {type(error).__name__}: {error}; "
                    "call it in Python, or see: stetho visit"
                ) from error
            continue
        note = "" if precise else "compared in the models' own types, since one of them fails in double precision"
        return (pair[0], pair[1]), [note] if note else []
    raise AssertionError("one of both ways returns or raises")


def weights_like(model: Module, subject: Subject) -> dict[str, Array]:
    """The weights of a subject under all names and in the types that they have in the model."""
    wanted, made = model.state_dict(), subject.model.state_dict()
    return {
        name: made[name].detach().to(each.dtype).float().numpy()
        if each.dtype == torch.bfloat16
        else made[name].detach().to(each.dtype).cpu().contiguous().numpy()
        for name, each in wanted.items()
        if isinstance(each, Tensor)
    }


def put(model: Module, weights: Mapping[str, Array], source: str) -> None:
    """Fill a model by names; UsageError where names or shapes do not fit."""
    state = {name: each for name, each in model.state_dict().items() if isinstance(each, Tensor)}
    missing = [name for name, each in state.items() if name not in weights and each.is_floating_point()]
    if missing:
        raise UsageError(
            f"{source}: holds no `{missing[0]}`{f' and {len(missing) - 1} more' if len(missing) > 1 else ''}, which "
            f"the model has; see its names with: stetho ckpt show {source}"
        )
    for name, each in state.items():
        if name in weights:
            if tuple(each.shape) != weights[name].shape:
                shapes = f"{list(weights[name].shape)} in the file and {list(each.shape)} in the model"
                raise UsageError(f"{source}: `{name}` is {shapes}; build the model as it was when it was saved")
            with torch.no_grad():
                each.copy_(torch.from_numpy(np.array(weights[name])))


def two_calls(models: tuple[Any, Any], inputs: Any) -> tuple[Call, Call]:
    """The same tensors for both: names that the second model does not take are given in their order."""
    for model in models:
        if not is_model(model):
            raise UsageError(f"`{type(model).__name__}` is no module; compare two modules of torch")
    if inputs is None:
        raise UsageError("no inputs: models are compared on an input; give a tensor, a tuple, a dict or a shape")
    one = call_of(models[0], inputs)
    if one.function is None and not any(True for _ in tensors_in((one.args, one.kwargs))):
        raise UsageError(f"`inputs` (={inputs!r}) holds no tensor; give what the models are called with")
    if one.function is not None or not one.kwargs or set(one.kwargs) <= taken_names(models[1]):
        return one, one
    return one, Call(tuple(value for _, value in named_arguments(models[0], one)))


def _copied(model: Module, name: str) -> Module:
    try:
        return copy.deepcopy(model)
    except Exception as error:
        raise UsageError(
            f"{name}: the model cannot be copied ({type(error).__name__}: {error}); give a function that makes it anew"
        ) from error
