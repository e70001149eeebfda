"""What was measured on layers in the step under way: outputs and gradients, put together when the step ends."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from stetho.capture.recorder import Recorder
from stetho.capture.torch.models.models import Layer, Weight
from stetho.records import Phase
from stetho.stats.kernel import Pending, fetch, table
from stetho.stats.summary import Summary

if TYPE_CHECKING:
    from stetho.stats._native import LayerCalls


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
        self.recorder = recorder
        self.native: LayerCalls | None = None
        """Has measured as well."""
        self._items: list[tuple[Layer, str, str, Span, Pending]] = []

    def add(self, layer: Layer, path: str, role: str, span: Span, measured: Pending) -> None:
        """Keep one measurement."""
        self._items.append((layer, path, role, span, measured))

    def flush(self, step: int, span: Span | None = None) -> None:
        """Hand over everything, or what belongs to one pass, as rows of that step."""
        native = self.native
        if self._items:
            self._flush_together(step, span)
        elif native is not None and not native.is_empty:
            rows = native.rows(span)
            if rows:
                self.recorder.stats(step, rows)

    def _flush_together(self, step: int, span: Span | None) -> None:
        items = [item for item in self._items if span is None or item[3] is span]
        self._items = [item for item in self._items if span is not None and item[3] is not span]
        summaries = fetch([item[4] for item in items])
        measured = [(*item[:4], 1, summary) for item, summary in zip(items, summaries, strict=True)]
        if self.native is not None:
            measured += [(layer, "", *rest) for layer, *rest in self.native.items(span)]
        together: dict[int, tuple[int, Summary]] = {}
        for layer, path, role, one, calls, summary in measured:
            series = series_of(self.recorder, layer, path, role, one.phase)
            before = together.get(series)
            together[series] = (calls, summary) if before is None else (before[0] + calls, before[1].merged(summary))
        rows = [(series, calls, summary, nan) for series, (calls, summary) in together.items()]
        if rows:
            self.recorder.stats(step, table(rows).tobytes())

    def clear(self) -> None:
        """Forget what was kept."""
        self._items.clear()
