"""What was measured on layers in the step under way: outputs and gradients, put together when the step ends."""

from math import nan

from stetho.capture.recorder import Recorder
from stetho.capture.torch.models import Layer, Weight
from stetho.records import Phase
from stetho.stats.kernel import Pending, fetch, table
from stetho.stats.summary import Summary


class Span:
    """The forward pass that a measurement belongs to; only its end tells whether it was for training."""

    __slots__ = ("phase",)

    def __init__(self, phase: Phase) -> None:
        self.phase: Phase = phase


def series_of(recorder: Recorder, subject: Layer | Weight, path: str, role: str, phase: Phase) -> int:
    """The series of one role of a layer's output or of a parameter."""
    key = (role, path, phase)
    series = subject.series.get(key)
    if series is None:
        series = subject.series[key] = recorder.series(subject.model, subject.name + path, role, phase)
    return series


class Activations:
    """Measurements that wait for the end of their step."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._items: list[tuple[Layer, str, str, Span, Pending]] = []

    def add(self, layer: Layer, path: str, role: str, span: Span, measured: Pending) -> None:
        """Keep one measurement."""
        self._items.append((layer, path, role, span, measured))

    def flush(self, step: int, span: Span | None = None) -> None:
        """Hand over everything, or what belongs to one pass, as rows of that step."""
        if not self._items:
            return
        items = [item for item in self._items if span is None or item[3] is span]
        self._items = [item for item in self._items if span is not None and item[3] is not span]
        if not items:
            return
        summaries = fetch([item[4] for item in items])
        together: dict[int, tuple[int, Summary]] = {}
        for (layer, path, role, span, _), summary in zip(items, summaries, strict=True):
            series = series_of(self._recorder, layer, path, role, span.phase)
            before = together.get(series)
            together[series] = (1, summary) if before is None else (before[0] + 1, before[1].merged(summary))
        rows = [(series, calls, summary, nan) for series, (calls, summary) in together.items()]
        self._recorder.stats(step, table(rows))

    def clear(self) -> None:
        """Forget what was kept."""
        self._items.clear()
