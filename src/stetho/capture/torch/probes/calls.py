"""A copy of the model is called a few times in evaluation mode: what do its answers depend on, besides their inputs?"""

import functools
import random
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.torch.autopsy.kept import RootCall
from stetho.capture.torch.autopsy.replay import mapped, mixed
from stetho.capture.torch.autopsy.states import set_random_states
from stetho.capture.torch.calls.leaves import first_tensor, tensor_leaves
from stetho.capture.torch.feed.ahead import beside
from stetho.capture.torch.models.initialised import Initialised
from stetho.capture.torch.probes.future import before_end, where_end_begins, with_other_end
from stetho.capture.torch.probes.stuck_dropout import StuckDropout

LEAST_SAMPLES = 4
MOST_NAMES = 6


def _copied(tensor: Tensor) -> Tensor:
    return tensor.detach().clone()


class Calls:
    """The experiment on one call that the program made."""

    def __init__(self, model: Module, call: RootCall, longest: float, initialised: Initialised) -> None:
        self._model = model.eval()
        self._longest = longest
        self._initialised = initialised
        self._call = call
        self._given_by_program = (call.args, call.kwargs)
        self._inputs = first_tensor(*self._given_by_program)

    def run(self) -> dict[str, object] | str:
        """What came of it, or why nothing did."""
        before = {name: tensor.detach().clone() for name, tensor in self._model.named_parameters()}
        state = _attributes(self._model)
        stuck = StuckDropout()
        with torch.no_grad(), mixed(self._call.autocast):
            began = perf_counter()
            with stuck.watching():
                answer = self._answer()
            if answer is None:
                return "the output of the model is no finite tensor"
            if perf_counter() - began > self._longest:
                return f"a call takes {perf_counter() - began:.2g} s"
            rewritten = self._rewritten(before)
            kept = [name for name, tensor in _attributes(self._model).items() if tensor is not state.get(name)]
            again = self._answer()
            found: dict[str, object] = {
                "rewritten": rewritten[:MOST_NAMES],
                "redrawn": (redrawn := self._redrawn(rewritten))[:MOST_NAMES],
                "redrawn_at": self._line_of(redrawn),
                "repeated": _apart(answer, again),
                "state": kept[:MOST_NAMES],
                "dropouts": stuck.by_default,
                "dropouts_on_purpose": stuck.on_purpose,
            }
            if found["repeated"] == 0 and not rewritten:
                found["random"] = _apart(answer, self._answer(seed=7))
                found |= self._others(answer) | self._placed(answer) | self._future(answer)
        return found

    def _rewritten(self, before: dict[str, Tensor]) -> list[str]:
        """Parameters that a call changes."""
        return [name for name, tensor in self._model.named_parameters() if not torch.equal(tensor, before[name])]

    def _redrawn(self, rewritten: list[str]) -> list[str]:
        """Those of them that a call sets to a value that has nothing to do with what they were; a bound would."""
        known = {name: tensor for name, tensor in self._model.named_parameters() if name in rewritten}
        after = {name: tensor.detach().clone() for name, tensor in known.items()}
        for tensor in known.values():
            tensor.mul_(0.5)
        if known:
            self._initialised.install()
            try:
                self._answer()
            finally:
                self._initialised.stop()
        return [name for name, tensor in known.items() if torch.equal(tensor, after[name])]

    def _line_of(self, redrawn: list[str]) -> str | None:
        """Where the program draws the first of them."""
        lines = (self._initialised.line(self._model.get_parameter(name)) for name in redrawn)
        return next((line for line in lines if line is not None), None)

    def _others(self, answer: Tensor) -> dict[str, object]:
        """How far answers move when only other samples are exchanged, along the first and the second axis."""
        found: dict[str, object] = {}
        for axis, name in ((0, "others"), (1, "others_along_second")):
            inputs = self._inputs
            if inputs is None or inputs.dim() <= axis or answer.dim() <= axis:
                continue
            size = inputs.shape[axis]
            if size < LEAST_SAMPLES or answer.shape[axis] != size:
                continue
            half = size // 2
            changed = self._answer(functools.partial(self._given, axis=axis))
            rest = slice(half, None)
            found[name] = _apart(answer.movedim(axis, 0)[rest], _moved(changed, axis, rest))
        return found | self._batch()

    def _placed(self, answer: Tensor) -> dict[str, object]:
        """How far answers move when all samples stay what they are, and come in the opposite order."""
        size = len(self._inputs) if self._inputs is not None and self._inputs.dim() else 0
        if size < LEAST_SAMPLES or len(answer) != size or self._batch().get("aligned") is not True:
            return {}
        if any(tensor.layout is not torch.strided for _, tensor in tensor_leaves(self._given_by_program)):
            return {}
        args, kwargs = self._given_by_program
        if any(_has_one_each(value, size) for value in (*args, *kwargs.values())):
            return {}
        turned = self._answer(lambda tensor: _copied(tensor).flip(0))
        return {"placed": _apart(answer, turned.flip(0))} if turned is not None else {}

    def _future(self, answer: Tensor) -> dict[str, object]:
        """How far answers at earlier positions move when only later ones are exchanged, along either axis."""
        if self._inputs is None:
            return {}
        found: dict[str, object] = {}
        others = beside(self._inputs, *self._given_by_program)
        for number, inputs in enumerate((self._inputs, *others)):
            for axis, name in ((1, "future"), (0, "future_along_first")):
                moved, moved_there = self._moved_by_end(inputs, axis, answer)
                suffix = f"_of_{number}" if number else ""
                found |= {name + suffix: moved} if moved is not None else {}
                found |= {f"at_{name}{suffix}": moved_there} if moved_there is not None else {}
        return found

    def _moved_by_end(self, inputs: Tensor, axis: int, answer: Tensor) -> tuple[float | None, float | None]:
        """How far another end moves the answers before it, and those where it begins."""
        other = with_other_end(inputs, axis)
        before, there = (part(answer, inputs.shape, axis) for part in (before_end, where_end_begins))
        if other is None or before is None or there is None:
            return None, None
        changed = self._answer(lambda tensor: _copied(other if tensor is inputs else tensor))
        if changed is None:
            return None, None
        return (
            _apart(before, before_end(changed, inputs.shape, axis)),
            _apart(there, where_end_begins(changed, inputs.shape, axis)),
        )

    def _batch(self) -> dict[str, object]:
        """How many samples there are, and whether all that was given has one row for each of them."""
        shapes = [tuple(tensor.shape) for _, tensor in tensor_leaves((self._call.args, self._call.kwargs))]
        if not shapes or not shapes[0]:
            return {}
        size = shapes[0][0]
        is_aligned = all(shape[:1] == (size,) and shape[1:2] != (size,) for shape in shapes)
        return {"samples": size, "aligned": is_aligned}

    def _answer(self, change: Callable[[Tensor], Tensor] = _copied, *, seed: int | None = None) -> Tensor | None:
        """The first output of one more call, from the same random state as every other one."""
        set_random_states(self._call.random)
        if seed is not None:
            torch.manual_seed(seed)
        random.seed(seed or 0)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            numpy.random.seed(seed or 0)
        given = mapped((self._call.args, self._call.kwargs), change)
        output = _first_answer(self._model(*given[0], **given[1]))
        if output is None:
            return None
        return output.detach().float().clone() if bool(torch.isfinite(output).all()) else None

    def _given(self, tensor: Tensor, axis: int) -> Tensor:
        copied = _copied(tensor)
        inputs = self._inputs
        if inputs is None or copied.dim() <= axis or copied.shape[axis] != inputs.shape[axis]:
            return copied
        # The first half becomes equal to the last: what comes after it is as it was. Another order alone would not do,
        # for a mean over the batch does not mind it.
        size = inputs.shape[axis]
        copied.narrow(axis, 0, size // 2).copy_(copied.narrow(axis, size - size // 2, size // 2).clone())
        return copied


def _has_one_each(value: Any, size: int) -> bool:
    """Whether what is no tensor, as a list of lengths, has one for each sample: it would not turn with them."""
    if isinstance(value, list | tuple):
        return len(value) == size and not any(isinstance(each, Tensor) for each in value)
    return not isinstance(value, Tensor) and tuple(getattr(value, "shape", ()))[:1] == (size,)


def _first_answer(output: Any) -> Tensor | None:
    """The first output that has something for each sample; models that compute their loss themselves give it first."""
    tensors = (tensor for _, tensor in tensor_leaves(output))
    return next((each for each in tensors if each.is_floating_point() and each.dim() and each.numel()), None)


def _moved(answer: Tensor | None, axis: int, rest: slice) -> Tensor | None:
    return None if answer is None or answer.dim() <= axis else answer.movedim(axis, 0)[rest]


def _apart(one: Tensor, other: Tensor | None) -> float | None:
    """How far two answers lie apart, by how much answers differ among themselves."""
    if other is None or one.shape != other.shape:
        return None
    spread = float((one - one.mean(0)).square().mean().sqrt())
    apart = float((one - other).square().mean().sqrt())
    return 0.0 if apart <= 1e-6 * max(float(one.abs().max()), 1e-12) else apart / max(spread, 1e-12)


def _attributes(model: Module) -> dict[str, Any]:
    """The tensors that modules keep beside their parameters."""
    return {
        f"{name}.{attribute}".lstrip("."): value
        for name, part in model.named_modules()
        for attribute, value in (*vars(part).items(), *part._buffers.items())
        if isinstance(value, Tensor)
    }
