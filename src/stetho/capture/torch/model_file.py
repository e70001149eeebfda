"""When model.json is written, and what the experiments add to it."""

from collections.abc import Callable, Mapping

from stetho.capture.guard import Guard
from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.description import Description
from stetho.capture.torch.deterministic import Randomness
from stetho.capture.torch.models.models import Models
from stetho.store.documents import encode, extended


class ModelFile:
    """Writes model.json, again and again, since the program may end at any step."""

    def __init__(
        self,
        guard: Guard,
        clock: Clock,
        recorder: Recorder,
        models: Models,
        description: Description,
        probes: Callable[[], Mapping[str, object]],
        randomness: Randomness | None,
    ) -> None:
        self._guard = guard
        self._clock = clock
        self._recorder = recorder
        self._models = models
        self._description = description
        self._probes = probes
        self._randomness = randomness
        self._known = 0
        self._due = 1
        self._encoded = b""
        """The description as it was written the last time."""

    def write_if_due(self, done: int) -> None:
        """A step is done. Models that are new are described at once, for they may be gone before all is written."""
        if done < self._due and len(self._models.all) == self._known:
            return
        before = self._guard.so_far()
        # At steps 1, 2, 4, 8 … : soon enough to be there after a crash, and free in the long run.
        if done >= self._due:
            self._due = 1 << done.bit_length()
            self.write()
        else:
            self._description.current()
        self._known = len(self._models.all)
        self._clock.step.other_ours += self._guard.so_far() - before

    def write(self) -> None:
        """Write down all that is known by now."""
        self._encoded = encode(self._description.current(), indent=1)
        self.write_news()

    def write_news(self) -> None:
        """Write down what experiments and autopsies have found; the models stay described as they were last.

        In the midst of a step, where a description that reads the program's text again would take longer than the
        look at the fault itself.
        """
        if not self._encoded:
            self.write()
            return
        news: dict[str, object] = {
            "probes": {name: result for name, result in self._probes().items() if result is not None}
        }
        if self._randomness is not None:
            news["randomness"] = self._randomness.left()
        self._recorder.writer.write_encoded("model.json", extended(self._encoded, news))
