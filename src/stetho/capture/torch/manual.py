"""Steps of programs that update their parameters by hand: without an optimizer, backward passes are counted.

The update itself is invisible, so the step ends when the next training pass begins: by then it has happened.
"""

from collections.abc import Callable

from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.models import Models
from stetho.capture.torch.optimizers import Optimizers
from stetho.capture.torch.parameters import Parameters
from stetho.capture.torch.reach import trainable_leaves

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
        self._active = False
        self.end_step: Callable[[], None] = lambda: None

    def after_backward(self, loss: Tensor | None) -> None:
        """A backward pass is over."""
        if not self._active:
            self._active = self._applies()
            if not self._active:
                return
        self._pending = True
        if self._clock.step.tier == "full" and loss is not None:
            leaves = trainable_leaves(loss)
            unnamed = [leaf for leaf in leaves if self._models.weight(leaf) is None]
            if unnamed:
                self._models.adopt_loose([(f"parameter{number}", leaf) for number, leaf in enumerate(unnamed)])
            self._parameters.before(leaves, gradients=True)

    def before_pass(self) -> None:
        """A training pass or a backward pass begins: what was pending is over."""
        if self._pending:
            self.finish()

    def finish(self) -> None:
        """End the step under way if it has a backward pass."""
        if self._pending or (self._clock.done == 0 and self._clock.step.backwards > 0):
            self._pending = False
            if self._clock.step.tier == "full":
                self._clock.step.facts["grad_norm"] = self._parameters.after(None, self._clock.step.number)
            self.end_step()

    def _applies(self) -> bool:
        if self._clock.done > 0:
            return False
        if self._optimizers.count == 0:
            self._recorder.note("manual", "no optimizer was made: a step is counted for every backward pass")
            return True
        self._backwards += 1
        if self._backwards < PATIENCE:
            return False
        self._recorder.note(
            "no step",
            f"{PATIENCE} backward passes without an optimizer step: a step is counted for every backward pass",
        )
        return True
