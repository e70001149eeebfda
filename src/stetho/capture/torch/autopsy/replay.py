"""A kept step, run once more under the eyes of a tracer: calls of models, the operations between, backward passes."""

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.torch.autopsy.copied import Copies
from stetho.capture.torch.autopsy.kept import BackwardCall, Event, RootCall
from stetho.capture.torch.autopsy.ops import Source
from stetho.capture.torch.autopsy.states import Autocast, set_random_states
from stetho.capture.torch.autopsy.tape import Tape, TapeOp
from stetho.capture.torch.autopsy.tracer import OpTracer
from stetho.capture.torch.calls.leaves import first_tensor, is_plain, tensor_leaves

DEEPEST = 6


def called(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls a function of the program's; frames above this one are ours."""
    return function(*args, **kwargs)


class Replay:
    """One replay. Afterwards `ends` are the bad values that it came to, with where they come from."""

    def __init__(self, copies: Copies, *, keep_outputs: bool = False) -> None:
        self._copies = copies
        self._keep_outputs = keep_outputs
        self.outputs: dict[str, Tensor] = {}
        self.output_gradients: dict[str, Tensor] = {}
        self._now: dict[int, Tensor] = {}
        self._originals: list[object] = []
        self.tracer = OpTracer(until=called.__code__)
        self.ends: list[Source] = []
        self.faithful = True
        """Everything came out as it did the first time."""
        self.rooted = False
        """The loss itself was made again, and not only the output of the model."""
        self.batch: int | None = None

    def run(self, events: list[Event]) -> None:
        """Run everything in its order, until something is bad at the end of it."""
        for event, after in itertools.zip_longest(events, events[1:]):
            if isinstance(event, RootCall):
                self._call(event)
            elif isinstance(event, Tape):
                self._play(event, after.loss if isinstance(after, BackwardCall) else None)
            elif not self.ends:
                self._backward(event, events)

    def ends_at(self, tensors: list[Tensor]) -> list[Source]:
        """The bad values that these tensors of the program came to, with where they come from."""
        made = [now for tensor in tensors if (now := self._now.get(id(tensor))) is not None]
        return [end for each in made if (end := self.tracer.maker(each)) is not None]

    def loss(self, events: list[Event]) -> Tensor | None:
        """Run the way to the first loss; None where it does not come out again."""
        for event in events:
            if isinstance(event, RootCall):
                self._call(event)
            elif isinstance(event, Tape):
                self._play(event)
            else:
                return self._now.get(id(event.loss))
        return None

    # ---- models

    def _call(self, call: RootCall) -> None:
        module = self._copies.of(call.module)
        self._copies.give(call.carried)
        if module.training != call.training:
            module.train(call.training)
        args, kwargs = self._given(call.args), self._given(call.kwargs)
        for path, tensor in tensor_leaves((args, kwargs)):
            self.tracer.name(tensor, f"input{path}")
            if self.batch is None and tensor.dim():
                self.batch = tensor.shape[0]
        for kind, named in (("parameter", module.named_parameters()), ("buffer", module.named_buffers())):
            for name, tensor in named:
                self.tracer.name(tensor, f"{kind} {joined(call.layer, name)}")
        before = [tensor._version for _, tensor in tensor_leaves((call.args, call.kwargs)) if not tensor.is_inference()]
        self.faithful &= before == call.versions
        self.tracer.phase, self.tracer.line = "forward", call.line
        set_random_states(call.random)
        with self._layers(module, call.layer), torch.set_grad_enabled(call.grad), mixed(call.autocast), self.tracer:
            output = called(module, args, kwargs)
        self._made(call.output, output)

    @contextlib.contextmanager
    def _layers(self, module: Module, prefix: str) -> Iterator[None]:
        """Have the tracer know which layer is at work."""
        stack, handles = self.tracer.layers, []
        for name, part in module.named_modules():
            full = joined(prefix, name) or type(part).__name__
            handles.append(part.register_forward_pre_hook(lambda *_, full=full: stack.append(full)))
            handles.append(part.register_forward_hook(lambda *_: _nothing(stack.pop() if stack else None)))
            if self._keep_outputs:
                handles.append(part.register_forward_hook(functools.partial(self._keep, full)))
        try:
            yield
        finally:
            stack.clear()
            for handle in handles:
                handle.remove()

    def _keep(self, name: str, _module: Module, _args: object, output: object) -> None:
        tensor = first_tensor(output)
        if tensor is not None:
            self.outputs[name] = tensor

    # ---- operations between

    def _play(self, tape: Tape, until: Tensor | None = None) -> None:
        """Play a tape; what comes after the loss, as zeroing the gradients, is no part of it."""
        self.tracer.phase = "loss"
        last = max((place for place, op in enumerate(tape.ops) if op.result is until), default=len(tape.ops))
        for op in tape.ops[: last + 1]:
            self.tracer.line = ":".join(map(str, op.place)) if op.place is not None else None
            try:
                self._again(op)
            except RuntimeError:
                # What was changed since, or belongs to a graph of an earlier step: its result is taken as it was.
                self.faithful = False

    def _again(self, op: TapeOp) -> None:
        if op.before is not None and id(op.args[0]) not in self._now:
            self._know(op.args[0], op.before.clone().requires_grad_(op.args[0].is_leaf and op.args[0].requires_grad))
        args, kwargs = self._substituted(op.args), self._substituted(op.kwargs) if op.kwargs else {}
        if op.random is not None:
            torch.set_rng_state(op.random)
        with torch.set_grad_enabled(op.grad), mixed(op.autocast), self.tracer:
            result = called(op.func, args, kwargs)
        self._made(op.result, result)

    # ---- backward

    def _backward(self, call: BackwardCall, events: list[Event]) -> None:
        loss = self._now.get(id(call.loss))
        if loss is not None:
            self.rooted = True
            end = self.tracer.maker(loss)
            # Gradients of a bad loss tell nothing of its birth; somebody who looks at layers has asked for them.
            if loss.requires_grad and (end is None or self._keep_outputs):
                self._gradients([loss], [torch.ones_like(loss)])
            self.ends = [end] if end is not None else self.ends
            return
        roots, gradients = [], []
        for event in events:
            for place, gradient in event.gradients.items() if isinstance(event, RootCall) else ():
                output = self._now.get(id([tensor for _, tensor in tensor_leaves(event.output)][place]))  # type: ignore[union-attr]
                if output is not None and output.requires_grad:
                    self.tracer.name(gradient, "gradient of the loss")
                    roots.append(output)
                    gradients.append(gradient)
        if roots:
            self._gradients(roots, gradients)
        else:
            self.ends = self._bad_outputs(events)

    def _bad_outputs(self, events: list[Event]) -> list[Source]:
        """Where nothing is known of the way from the models to the loss: what is bad in what they gave, save masks."""
        given = [tensor for event in events if isinstance(event, RootCall) for _, tensor in tensor_leaves(event.output)]
        return [end for end in self.ends_at(given) if end.has_nan or not end.only_negative]

    def _gradients(self, roots: list[Tensor], gradients: list[Tensor]) -> None:
        parameters = [tensor for tensor in self._leaves() if tensor.requires_grad]
        if not parameters:
            return
        self.tracer.phase, self.tracer.line = "backward", None
        with self.tracer:
            found = torch.autograd.grad(roots, parameters, gradients, retain_graph=True, allow_unused=True)
        self.ends = [end for each in found if each is not None and (end := self.tracer.maker(each)) is not None]
        wanted = {name: tensor for name, tensor in self.outputs.items() if tensor.requires_grad}
        if wanted:
            given = torch.autograd.grad(roots, list(wanted.values()), gradients, retain_graph=True, allow_unused=True)
            self.output_gradients = {name: each for name, each in zip(wanted, given, strict=True) if each is not None}

    def _leaves(self) -> list[Tensor]:
        unique = {id(tensor): tensor for module in self._copies.modules for tensor in module.parameters()}
        return [*unique.values(), *(tensor for tensor in self._now.values() if tensor.is_leaf)]

    # ---- what stands for what

    def _know(self, original: Tensor, now: Tensor) -> None:
        self._now[id(original)] = now
        # As long as it is kept, nobody else can have its number.
        self._originals.append(original)

    def _made(self, before: Any, now: Any) -> None:
        for (_, original), (_, again) in zip(tensor_leaves(before), tensor_leaves(now), strict=False):
            self._know(original, again)
            self.faithful &= same(original, again)

    def _given(self, value: Any) -> Any:
        """Arguments of a model: what the replay made, or copies, for the model may change them."""
        return mapped(value, self._argument)

    def _argument(self, tensor: Tensor) -> Tensor:
        known = self._now.get(id(tensor))
        if known is None:
            known = self._copies.tensor(tensor)
        if known is None:
            known = tensor.detach().clone()
            if tensor.requires_grad:
                known.requires_grad_()
            self._know(tensor, known)
        return known

    def _substituted(self, value: Any) -> Any:
        return mapped(value, self._stand_in)

    def _stand_in(self, tensor: Tensor) -> Tensor:
        known = self._now.get(id(tensor))
        if known is None:
            known = self._copies.tensor(tensor)
        if known is not None:
            return known
        known = tensor
        if tensor.requires_grad or tensor.is_inference():
            known = tensor.detach().clone().requires_grad_(tensor.requires_grad)
            self._know(tensor, known)
        if is_plain(known):
            self.tracer.name(known, "value from outside")
        return known


def mapped(value: Any, change: Callable[[Tensor], Tensor], depth: int = 0) -> Any:
    """The same structure with every tensor replaced."""
    if isinstance(value, Tensor):
        return change(value)
    if depth >= DEEPEST:
        return value
    if isinstance(value, dict):
        try:
            return type(value)({key: mapped(item, change, depth + 1) for key, item in value.items()})
        except TypeError:
            return value
    if isinstance(value, (tuple, list)):
        items = [mapped(item, change, depth + 1) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def same(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors are equal bit for bit, NaN being equal to NaN."""
    if one.shape != other.shape or one.dtype != other.dtype or one.layout != other.layout:
        return False
    if one.layout is not torch.strided:
        one, other = one.detach().to_dense(), other.detach().to_dense()
    return bool(torch.equal(one.detach(), other.detach())) or bool(
        torch.allclose(one.detach(), other.detach(), rtol=0, atol=0, equal_nan=True)
        if one.is_floating_point() or one.is_complex()
        else False
    )


def joined(prefix: str, name: str) -> str:
    """A dotted name.

    >>> joined("encoder", "0"), joined("", "fc")
    ('encoder.0', 'fc')
    """
    return f"{prefix}.{name}" if prefix and name else prefix or name


@contextlib.contextmanager
def mixed(state: Autocast) -> Iterator[None]:
    """Mixed precision as it was."""
    with contextlib.ExitStack() as stack:
        for device, dtype in state:
            stack.enter_context(torch.autocast(device, dtype=dtype, cache_enabled=False))
        yield


def _nothing(_: object) -> None:
    """A forward hook that returns something would replace the output."""
