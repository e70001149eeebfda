"""What was measured on layers in the step under way: outputs and gradients, put together when the step ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stetho.capture.recorder import Recorder
from stetho.capture.torch.models.models import Layer, Weight
from stetho.records import Phase
from stetho.stats.columns import columns_of_summaries, merged, table
from stetho.stats.kernel import Pending, columns_of

if TYPE_CHECKING:
    from stetho.stats._native import LayerCalls


class Span:
    """The forward pass that a measurement belongs to; only its end tells whether it was for training."""

    __slots__ = ("phase",)

    def __init__(self, phase: Phase) -> None:
        self.phase: Phase = phase


Item = tuple[Layer, str, str, Span, Pending]
"""A measurement: layer, path in its output, role, pass."""


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
        self._items: list[Item] = []

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
        items = self._items if span is None else [item for item in self._items if item[3] is span]
        self._items = [] if span is None else [item for item in self._items if item[3] is not span]
        places, columns = columns_of([item[4] for item in items])
        series = [self._series_of(items[place]) for place in places]
        calls = [1] * len(series)
        native = self.native.items(span) if self.native is not None else []
        if native:
            series += [series_of(self.recorder, layer, "", role, one.phase) for layer, role, one, _, _ in native]
            calls += [times for *_, times, _ in native]
            columns = np.hstack([columns, columns_of_summaries([summary for *_, summary in native])])
        if series:
            self.recorder.stats(step, table(*merged(series, calls, columns)).tobytes())

    def take(self) -> tuple[list[int], list[Pending]]:
        """Series and measurements, for somebody who finishes them with others; none where they are finished in C."""
        if self.native is not None:
            return [], []
        items, self._items = self._items, []
        return [self._series_of(item) for item in items], [item[4] for item in items]

    def _series_of(self, item: Item) -> int:
        layer, path, role, span, _ = item
        return series_of(self.recorder, layer, path, role, span.phase)

    def clear(self) -> None:
        """Forget what was kept."""
        self._items.clear()
