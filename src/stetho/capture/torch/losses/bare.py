"""Passes of programs without modules: a function of parameters, whose graph tells what went in and what came out.

A loss function that is called while no module was, or a backward pass that no module was called before, opens a pass.
Once the program is known to be of this kind, evaluations are known by the loss functions they call without gradients,
and by the largest of some scores that they ask for.
"""

import sys
import weakref
from collections.abc import Callable

import torch
from torch import Tensor

from stetho.capture.guard import Guard
from stetho.capture.source import user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.calls.activations import Span
from stetho.capture.torch.calls.passes import Place, is_transformed
from stetho.capture.torch.feed.batches import Batches
from stetho.capture.torch.losses.bare_graph import inputs_of, output_of
from stetho.capture.torch.losses.loss_graph import LossGraphs
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.patches import Patches
from stetho.records import Phase


class BarePass(Span):
    """What is known of such a pass."""

    __slots__ = ("grad", "place", "training")

    def __init__(self, phase: Phase, place: Place | None) -> None:
        super().__init__(phase)
        self.grad = self.training = phase == "train"
        self.place = place


class BarePasses:
    """Opens passes where no module does."""

    def __init__(self, guard: Guard, clock: Clock, models: Models, batches: Batches, graphs: LossGraphs) -> None:
        self._guard = guard
        self._clock = clock
        self._models = models
        self._batches = batches
        self._graphs = graphs
        self._has_modules = False
        self._model: int | None = None
        self._last_asked: weakref.ref[Tensor] | None = None
        self.on_train: Callable[[], None] = lambda: None
        self.on_modules: Callable[[], None] = lambda: None
        self._asked = guard.wrap("answers asked for", self._on_asked, naps=True)

    def install(self, patches: Patches) -> None:
        """Notice when a program asks for the largest of some scores."""
        for owner in (Tensor, torch):
            patches.around(owner, "argmax", before=self._on_argmax)

    def _on_argmax(self, *given: object, **_: object) -> None:
        # We ask for it as well.
        if not self._guard.is_inside:
            self._asked(*given)

    def module_called(self) -> None:
        """A module is called with gradients: passes are those of modules."""
        if not self._has_modules:
            self._has_modules = True
            self.on_modules()

    def pass_begins(self) -> None:
        """A module is called to train: passes are those of modules."""
        if not self._has_modules:
            self.module_called()
        self.on_train()

    def loss_called(self, predicted: Tensor) -> None:
        """A loss function is called with this, and no pass is open."""
        if self._has_modules or is_transformed():
            return
        if predicted.grad_fn is not None and torch.is_grad_enabled():
            self.on_train()
            # To go through the graph costs more than a short step may.
            if self._clock.step.close:
                self._train(predicted.grad_fn, predicted)
        elif not predicted.requires_grad:
            self._evaluate(predicted)

    def backward_begins(self, loss: Tensor) -> None:
        """A loss goes backward, and no pass is open."""
        if self._has_modules or self._batches.is_open or loss.grad_fn is None or is_transformed():
            return
        try:
            found = output_of(loss.grad_fn)
        except RuntimeError:
            # What was changed in place since it was saved cannot be read.
            found = None
        if found is not None:
            self._train(found[0], found[1])

    def _train(self, node: object, output: Tensor) -> None:
        try:
            found = inputs_of(node)
        except RuntimeError:
            found = None
        if found is None:
            return
        known = self._models.weight(found[0])
        self._model = known.model if known is not None else self._models.adopt_loose([])
        span = BarePass("train", _place())
        self._batches.open(self._model, span, (found[1],), {})
        self._graphs.output_found(node, output)
        self._batches.output(span, output)

    def _evaluate(self, output: Tensor) -> None:
        if output.dim() == 0 or self._model is None:
            return
        span = BarePass("eval", _place())
        self._batches.open(self._model, span, (), {})
        self._batches.set_size(len(output))
        self._batches.output(span, output)

    def _on_asked(self, scores: object, *_: object) -> None:
        if self._model is None or self._has_modules or not isinstance(scores, Tensor) or scores.requires_grad:
            return
        # A mode that follows calls of torch lets us hear of one twice.
        is_new = self._last_asked is None or self._last_asked() is not scores
        if is_new and scores.is_floating_point() and scores.dim() > 1 and not self._batches.awaits_loss:
            self._last_asked = weakref.ref(scores)
            self._evaluate(scores)


def _place() -> Place | None:
    frame = user_frame(sys._getframe(1))
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else None
