"""What is kept of the step under way, by reference and until it ends, so that it can be run again."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.torch.autopsy.carried import Carried, Carriers
from stetho.capture.torch.autopsy.states import Autocast, autocast_state, random_states
from stetho.capture.torch.autopsy.tape import MOST_BYTES, Tape, TapeMode
from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.unheard import unheard

MOST_EVENTS = 48
EVENTS_OF_A_BATCH = 3
MOST_BYTES_OF_A_STEP = 256 << 20
MOST_OUTPUTS = 4


@dataclass(slots=True)
class RootCall:
    """One call of a model from outside."""

    module: Module
    layer: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    line: str | None
    training: bool
    grad: bool
    random: list[Tensor]
    autocast: Autocast
    versions: list[int] = field(default_factory=list)
    output: Any = None
    gradients: dict[int, Tensor] = field(default_factory=dict)
    """The gradients that came back at its outputs, by their place among them."""
    bytes: int = 0
    """Of its arguments and outputs."""
    carried: list[Carried] = field(default_factory=list)
    """What its modules had from the calls before."""


@dataclass(slots=True)
class BackwardCall:
    """A backward pass that began at a loss."""

    loss: Tensor
    line: str | None
    bytes: int = 0


Event = RootCall | Tape | BackwardCall


class Kept:
    """The calls, tapes and backward passes of one step, in their order."""

    def __init__(self, mode: TapeMode) -> None:
        self._mode = mode
        self._carriers = Carriers()
        self._open: RootCall | None = None
        self.events: list[Event] = []
        self.whole = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return not self.events and self._open is None

    @property
    def under_way(self) -> RootCall | None:
        """The call of a model that has not come to its end."""
        return self._open

    def call_begins(
        self, module: Module, layer: str, args: tuple[Any, ...], kwargs: dict[str, Any], line: str | None
    ) -> None:
        """A model is called from outside."""
        self._mode.stop()
        self._open = RootCall(
            module,
            layer,
            args,
            kwargs,
            line,
            module.training,
            torch.is_grad_enabled(),
            random_states(),
            autocast_state(),
            [tensor._version for _, tensor in tensor_leaves((args, kwargs)) if not tensor.is_inference()],
            carried=self._carriers.now(module),
        )

    def call_ends(self, output: Any, *, follow: bool) -> None:
        """It gave this output; `follow` what is made of it."""
        done, self._open = self._open, None
        if done is None:
            return
        tensors = [tensor for _, tensor in tensor_leaves(output)]
        if _size(tensors) > MOST_BYTES:
            self.whole = False
            return
        done.output = output
        done.bytes = _size(tensors) + _size([tensor for _, tensor in tensor_leaves((done.args, done.kwargs))])
        self._add(done)
        for place, tensor in enumerate(tensors[:MOST_OUTPUTS]):
            if done.grad and tensor.requires_grad and tensor.grad_fn is not None:
                hook: Callable[[Tensor | None], None] = functools.partial(_keep, done.gradients, place)
                tensor.register_hook(hook)  # type: ignore[no-untyped-call]
        if follow:
            tape = Tape()
            self._add(tape)
            self._mode.start(tape)

    def follow(self) -> None:
        """Write down what happens from here on, for programs that call no model."""
        tape = Tape()
        self._add(tape)
        self._mode.start(tape)

    def resume(self) -> None:
        """After a call that was none for training, go on with the tape that was open."""
        self._open = None
        if self.events and isinstance(self.events[-1], Tape):
            self._mode.start(self.events[-1])

    def backward_begins(self, loss: Tensor | None, line: str | None) -> None:
        """A backward pass begins."""
        self._mode.stop()
        if loss is not None:
            self._add(BackwardCall(loss, line))

    def clear(self) -> None:
        """The step is over."""
        self._mode.stop()
        self._open = None
        self.events = []
        self.whole = True

    def _add(self, event: Event) -> None:
        self.events.append(event)
        # Of many accumulated batches the last are kept; the program has let go of the others.
        while len(self.events) > MOST_EVENTS or (
            len(self.events) > EVENTS_OF_A_BATCH and sum(each.bytes for each in self.events) > MOST_BYTES_OF_A_STEP
        ):
            self.whole = False
            del self.events[0]
            while len(self.events) > 1 and not isinstance(self.events[0], RootCall):
                # What was made of the output of a call is worth nothing without the call.
                del self.events[0]


def _size(tensors: list[Tensor]) -> int:
    return sum(tensor.nbytes for tensor in tensors if tensor.layout is torch.strided)


def _keep(gradients: dict[int, Tensor], place: int, gradient: Tensor | None) -> None:
    # Of the results of one operation, as chunks are, those that nobody used get no gradient.
    if gradient is not None:
        gradients[place] = unheard(gradient.detach)
