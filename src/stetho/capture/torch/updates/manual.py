"""Steps of programs that update their parameters by hand: without an optimizer, backward passes are counted.

The update itself is invisible, so the step ends when the next training pass begins: by then it has happened.
"""

import sys
from collections.abc import Callable

from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.source import name_in_frame, user_frame
from stetho.capture.step import Clock
from stetho.capture.torch.losses.reach import trainable_leaves
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.updates.optimizers import Optimizers
from stetho.capture.torch.updates.parameters import Parameters

PATIENCE = 64
"""So many backward passes without a step of any optimizer, and each of them is taken for a step."""


class ManualSteps:
    """Ends steps where no optimizer does. `end_step` is called for each."""

    def __init__(
        self, clock: Clock, models: Models, optimizers: Optimizers, parameters: Parameters, recorder: Recorder
    ) -> None:
        self._clock = clock
        self._models = models
        self._optimizers = optimizers
        self._parameters = parameters
        self._recorder = recorder
        self._pending = False
        self._backwards = 0
        self.active = False
        """Whether steps are counted here."""
        self._note: tuple[str, str] | None = None
        self.end_step: Callable[[], None] = lambda: None

    def after_backward(self, loss: Tensor | None) -> None:
        """A backward pass is over."""
        if not self.active:
            self.active = self._clock.done == 0 and self._applies()
            if not self.active:
                return
        self._pending = True
        if self._clock.step.tier == "full" and loss is not None:
            leaves = trainable_leaves(loss)
            frame = user_frame(sys._getframe(1))
            unnamed = [leaf for leaf in leaves if self._models.weight(leaf) is None]
            if unnamed:
                self._models.adopt_loose([(name_in_frame(leaf, frame), leaf) for leaf in unnamed])
            self._clock.step.facts["grad_norm"] = self._parameters.before(leaves, gradients=True)

    def before_pass(self) -> None:
        """A training pass or a backward pass begins: what was pending is over."""
        if self._pending:
            self._end()

    def optimizer_steps(self) -> None:
        """An optimizer, known or new, ends the step itself."""
        if self._pending:
            self._parameters.clear()
        self.active = self._pending = False

    def finish(self) -> None:
        """The program is over: end the step under way if it has a backward pass."""
        backwards = self._clock.step.backwards
        if not self._pending and self._clock.done == 0 and backwards > 0:
            passes = "1 backward pass" if backwards == 1 else f"{backwards} backward passes"
            self._note = ("no step", f"{passes} and no step of an optimizer: recorded as one step")
            self._pending = True
        self.before_pass()

    def _end(self) -> None:
        self._pending = False
        if self._note is not None:
            self._recorder.note(*self._note)
        if self._clock.step.tier == "full":
            self._parameters.after(None, self._clock.step.number)
        self.end_step()

    def _applies(self) -> bool:
        if self._optimizers.count == 0:
            self._note = ("manual", "no optimizer was made: a step is counted for every backward pass")
            return True
        self._backwards += 1
        if self._backwards < PATIENCE:
            return False
        text = f"{PATIENCE} backward passes without an optimizer step: a step is counted for every backward pass"
        self._note = ("no step", text)
        return True
