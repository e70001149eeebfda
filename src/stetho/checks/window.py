"""The window: a whole run as arrays and plain facts, which is all that a check sees.

A check cannot tell whether a window was read from a finished run, from one that is still being written, or was made
by hand for a test.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from stetho.checks.evidence.flow import in_forward_order
from stetho.checks.run.described import Described, Facts
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.run.series import Array, Series, joined, thinned
from stetho.checks.run.table import Table
from stetho.findings.finding import POINTS_OF_A_SERIES, Finding, Severity, Steps, Where

SeriesKey = tuple[int, str, str, str]
"""Model, name of the layer or parameter, role, phase."""

ReadSeries = Callable[[SeriesKey, str], Series | None]
"""Gives one measure of one series."""

EvidenceValue = float | str | list[float] | Array

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Author:
    """The check on whose behalf findings are written."""

    check: str = "unnamed"
    severity: Severity = "warning"
    explains: tuple[str, ...] = ()
    try_next: str = ""


class Window(Described):
    """A run as a check sees it.

    >>> from stetho.testing import make_window
    >>> window = make_window(steps=40)
    >>> window.count, [layer.name for layer in window.forward_order]
    (40, ['fc1', 'relu', 'fc2'])
    >>> window.layer_stat("act.rms", "fc1").steps[:3].tolist()
    [1, 2, 3]
    """

    def __init__(
        self,
        facts: Facts,
        *,
        steps: Table,
        batches: Table,
        metrics: Table,
        series: frozenset[SeriesKey],
        read: ReadSeries,
        read_histogram: Callable[[SeriesKey], Series | None],
    ) -> None:
        super().__init__(facts)
        self.steps = steps
        self.series = series
        self._batches = batches
        self._metrics = metrics
        self._read = read
        self._read_histogram = read_histogram
        self._author = Author()
        # Shared by the copies for the single checks, so that each view of the run is made once.
        self._kept: dict[object, Any] = {}

    # ---- the steps

    @property
    def count(self) -> int:
        """The number of steps that were looked at."""
        return self.steps.count

    @property
    def last_step(self) -> int:
        """The number of the last step that was looked at: of short steps not all are, and it is above `count`."""
        return int(self.steps["step"][-1]) if self.count else 0

    @property
    def orders(self) -> list[list[str]]:
        """The events of each step, in their order."""
        return self._once("orders", lambda: [(text or "").split() for text in self.steps["order"]])

    @property
    def forward_order(self) -> tuple[Layer, ...]:
        """The layers that were called and hold no others, of trained models, in the order of the data flow."""
        return self._once("forward order", lambda: in_forward_order(self.models, self.layers, self.edges))

    # ---- numbers

    def layer_stat(self, stat: str, layer: Layer | str, phase: str = "train") -> Series | None:
        """A stat of a layer's output or of the gradient there: `act.rms`, `act_grad.rms`."""
        return self.stat(stat, layer, phase)

    def parameter_stat(self, stat: str, parameter: Parameter | str) -> Series | None:
        """A stat of a parameter, its gradient or its update: `grad.rms`, `update.ratio`."""
        return self.stat(stat, parameter, "train")

    def stat(self, stat: str, subject: Layer | Parameter | str, phase: str = "train") -> Series | None:
        """A stat, None if it was not measured; a name alone means the first model that has it.

        Two measures are derived: `zero_share`, the zeros over the count, and `nonfinite`, NaN and infinite together.
        """
        role, _, measure = stat.rpartition(".")
        key = self._key(role, subject, phase)
        if key is None:
            return None
        if measure == "zero_share":
            return self._joined(key, "zeros", "count", np.divide)
        if measure == "nonfinite":
            return self._joined(key, "nan", "inf", np.add)
        return self._read(key, measure)

    def histogram(self, role: str, subject: Layer | Parameter | str, phase: str = "train") -> Series | None:
        """Histograms over the steps: `values` has a row of counts for each of them; None if none were taken."""
        key = self._key(role, subject, phase)
        return self._read_histogram(key) if key is not None else None

    def batches(self, phase: str = "train", model: int | None = None) -> Table:
        """What the root model was given, a row for each pass."""

        def chosen() -> Table:
            rows = self._batches["phase"] == phase
            return self._batches.where(rows if model is None else rows & (self._batches["model"] == model))

        return self._once(("batches", phase, model), chosen)

    def metric(self, name: str, phase: str = "eval") -> Series | None:
        """A metric over the steps; phase `user` is what the program logged itself. None if there is none."""
        table = self._metrics
        chosen = (table["name"] == name) & (table["phase"] == phase)
        return Series(table["step"][chosen], table["value"][chosen]) if chosen.any() else None

    def probed(self, experiment: str, *names: str) -> tuple[Array, ...]:
        """The series of numbers that an experiment wrote down under these names; empty where there are none."""
        found = self.probes.get(experiment, {})
        return tuple(np.asarray(found.get(name, ()), float) for name in names)

    def loss_series(self, optimizer: int | None = None) -> Series:
        """The losses that were seen, of all steps or of those of one optimizer; NaN where the loss itself was NaN."""
        seen = self.steps["loss_seen"] == 1
        if optimizer is not None:
            seen &= self.steps["optimizer"] == optimizer
        return Series(self.steps["step"][seen], self.steps["loss"][seen])

    # ---- findings

    def finding(
        self,
        title: str,
        *,
        where: Where | str | None = None,
        steps: tuple[int, int, int] | None = None,
        confidence: float = 0.9,
        severity: Severity | None = None,
        try_next: str = "",
        **evidence: EvidenceValue,
    ) -> Finding:
        """A finding of the check that is looking; what is not given comes from the check and from the whole run."""
        author = self._author
        return Finding(
            check=author.check,
            severity=severity or author.severity,
            confidence=float(confidence),
            title=title,
            where=where if isinstance(where, Where) else Where.at_line(where),
            steps=Steps(*map(int, steps)) if steps else self._all_steps(),
            evidence={name: _evidence(value) for name, value in evidence.items()},
            explains=author.explains,
            try_next=try_next or author.try_next,
        )

    def written_by(self, author: Author) -> "Window":
        """The same window, for the findings of a check."""
        window = copy.copy(self)
        window._author = author
        return window

    # ---- inside

    def _all_steps(self) -> Steps:
        steps = self.steps["step"]
        return Steps(int(steps[0]), int(steps[-1]), len(steps)) if len(steps) else Steps(0, 0, 0)

    def _key(self, role: str, subject: Layer | Parameter | str, phase: str) -> SeriesKey | None:
        if not isinstance(subject, str):
            # A layer with several outputs, as a recurrent one, is known by its first.
            names = (subject.name, f"{subject.name}[0]")
            keys = ((subject.model, name, role, phase) for name in names)
            return next((key for key in keys if key in self.series), None)
        return self._once("first of each", self._first_of_each).get((subject, role, phase))

    def _first_of_each(self) -> dict[tuple[str, str, str], SeriesKey]:
        return {key[1:]: key for key in sorted(self.series, reverse=True)}

    def _once(self, key: object, make: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = make()
        kept: T = self._kept[key]
        return kept

    def _joined(self, key: SeriesKey, one: str, other: str, operation: np.ufunc) -> Series | None:
        left, right = self._read(key, one), self._read(key, other)
        return joined(left, right, operation) if left is not None and right is not None else None


def _evidence(value: EvidenceValue) -> float | str | list[float]:
    if isinstance(value, str):
        return value
    if np.ndim(value):
        return thinned(value, POINTS_OF_A_SERIES)
    return float(value)  # type: ignore[arg-type]  # a number, as its dimension tells
