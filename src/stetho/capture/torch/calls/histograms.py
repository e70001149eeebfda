"""Histograms of the tensors of a step, at a much lower rate than the stats."""

import torch
from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.torch.calls.activations import Span, series_of
from stetho.capture.torch.models.models import Layer, Weight
from stetho.records import Phase
from stetho.stats.arrays import array_of
from stetho.stats.kernel import log2_histogram

EVERY = 100
"""A histogram costs as much as several stats, so it is taken in every hundredth full step, beginning with the first,"""
MANY = 1000
RARELY = 500
"""and after so many of them in every five hundredth."""


class Histograms:
    """Histograms that wait for the end of their step."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._full_steps = 0
        self._items: list[tuple[Layer | Weight, str, str, Span | None, Tensor]] = []
        self.due = True

    def add(self, subject: Layer | Weight, path: str, role: str, span: Span | None, tensor: Tensor) -> None:
        """Take the histogram of one tensor."""
        if tensor.numel() and tensor.is_floating_point() and tensor.layout is torch.strided:
            self._items.append((subject, path, role, span, log2_histogram(tensor)))

    def flush(self, step: int) -> None:
        """Hand over what was taken; a full step is over."""
        items, self._items = self._items, []
        together: dict[int, Tensor] = {}
        for subject, path, role, span, counts in items:
            phase: Phase = span.phase if span is not None else "train"
            series = series_of(self._recorder, subject, path, role, phase)
            together[series] = together[series] + counts if series in together else counts
        for series, counts in together.items():
            self._recorder.histogram(step, series, array_of(counts))
        self._full_steps += 1
        self.due = self._full_steps % (EVERY if self._full_steps <= MANY else RARELY) == 0

    def clear(self) -> None:
        """Forget what was taken."""
        self._items.clear()
