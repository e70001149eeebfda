"""The measurements that two runs have in common, read a stretch of steps at a time, however long the runs are."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stetho.comparing.runs.matching import Matching
from stetho.comparing.runs.recorded import COMPARED, Array, Recorded
from stetho.comparing.runs.rows import MEASURING, Rows
from stetho.records import Series

MOST_ROWS = 1 << 16
"""So many rows of both runs are held at a time, or those of one step."""


@dataclass(frozen=True)
class Errors:
    """The errors of each step in a few numbers."""

    steps: Array
    outputs: Array
    """The largest error of any output in training; NaN where no output was measured."""
    largest: Array
    """The largest error that is more than measuring makes, as is meant for outputs; 0 where there is none."""

    def first_beyond(self, least: float) -> int | None:
        """The first step with an error of more than `least`."""
        off = np.flatnonzero(self.largest > least)
        return int(self.steps[off[0]]) if len(off) else None


class Joined:
    """What was measured in both runs, at the same step of the same layer or parameter.

    Gradients and updates that one run alone has are there too: nothing is on the other side of them.
    """

    def __init__(self, one: Recorded, other: Recorded, matching: Matching, *, has_few_digits: bool = False) -> None:
        self._sides = one, other
        self._has_few_digits = has_few_digits
        self._matching = matching
        self.names = {each.id: each for each in one.series}
        """The series of the first run by their ids."""
        self.theirs: dict[int, Series] = {}
        """The series of the second run that each of these stands for."""
        self._renamed = self._rename()

    def at(self, step: int) -> Rows:
        """The rows of one step."""
        return self._between(step, step)

    @functools.cached_property
    def errors(self) -> Errors:
        """The errors of all steps; reads both runs once, a stretch at a time."""
        is_output = np.zeros(max(self.names, default=0) + 1, bool)
        for each in self.names.values():
            is_output[each.id] = _is_output(each)
        parts = [_errors_of(self._between(first, last), is_output) for first, last in self._stretches()]
        if not parts:
            return Errors(np.empty(0, np.int64), np.empty(0), np.empty(0))
        return Errors(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    def _rename(self) -> Array:
        """For each series of the second run its number in the first, or a new one; -1 where nothing is like it."""
        ids = {(each.model, each.name, each.role, each.phase): each.id for each in self.names.values()}
        renamed = np.full(max((each.id for each in self._sides[1].series), default=-1) + 1, -1, np.int64)
        for each in self._sides[1].series:
            name = self._matching.name(each.role, (each.model, each.name))
            if name is None:
                continue
            key = (*name, each.role, each.phase)
            if key not in ids:
                ids[key] = max(self.names, default=-1) + 1
                self.names[ids[key]] = Series(ids[key], *key)
            renamed[each.id] = ids[key]
            self.theirs[ids[key]] = each
        return renamed

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """First and last step of stretches that hold few enough rows."""
        (mine, own), (theirs, others) = (side.measured_steps for side in self._sides)
        steps, ours, yours = np.intersect1d(mine, theirs, return_indices=True)
        begin, held = 0, 0
        for place, count in enumerate((own[ours] + others[yours]).tolist()):
            if held and held + count > MOST_ROWS:
                yield int(steps[begin]), int(steps[place - 1])
                begin, held = place, 0
            held += count
        if held:
            yield int(steps[begin]), int(steps[-1])

    def _between(self, first: int, last: int) -> Rows:
        steps, series, measures = self._sides[0].stats(first, last)
        their_steps, mapped, their_measures = self._sides[1].stats(first, last)
        mapped = self._renamed[mapped]
        known = mapped >= 0
        their_steps, mapped, their_measures = their_steps[known], mapped[known], their_measures[known]
        width = max(self.names, default=0) + 1
        keys = np.unique(np.concatenate([steps * width + series, their_steps * width + mapped]))
        a, b = _rows(keys, steps * width + series, measures), _rows(keys, their_steps * width + mapped, their_measures)
        both = np.isin(keys // width, np.intersect1d(steps, their_steps))
        lonely = np.isnan(a[:, 0]) != np.isnan(b[:, 0])
        kept = both & (~lonely | np.isin(keys % width, self._may_be_lonely))
        return Rows((keys // width)[kept], (keys % width)[kept], a[kept], b[kept], self.names, self._has_few_digits)

    @functools.cached_property
    def _may_be_lonely(self) -> Array:
        """Series whose absence on one side means something: of layers and parameters that both runs have and train."""
        options = [side.run.info.get("options", {}) for side in self._sides]
        if any(options[0].get(key) != options[1].get(key) for key in ("layers", "gradients")):
            # One run was told to leave things out that the other measured.
            return np.empty(0, np.int64)
        parameters = {mine: name for name, mine in self._matching.parameters.items()}
        layers = set(self._matching.layers.values())
        outputs = {(each.model, each.name): each.id for each in self._sides[0].series if _is_output(each)}

        def counts(series: Series) -> bool:
            name = (series.model, series.name)
            if _is_output(series):
                return self._is_in_two_modes(series)
            if series.role == "act_grad":
                # Inside of what is compiled neither outputs nor their gradients are seen.
                is_seen = outputs.get(name) in self.theirs
                return is_seen and (series.model, series.name.partition("[")[0]) in layers
            if name not in parameters:
                return False
            facts = self._sides[0].parameters[name], self._sides[1].parameters[parameters[name]]
            # The gradient of a parameter is measured where an optimizer holds it.
            is_held = all(each.get("optimizer") is not None for each in facts)
            return series.role == "update" or (series.role == "grad" and is_held)

        return np.asarray([each.id for each in self.names.values() if counts(each)], dtype=np.int64)

    def _is_in_two_modes(self, series: Series) -> bool:
        """Whether a layer is trained in evaluation mode in one run alone: its outputs are not those of a training."""
        theirs = self.theirs.get(series.id)
        if theirs is None or series not in self._sides[0].series:
            return False
        layers = [
            side.layer_of(each.model, each.name) for side, each in zip(self._sides, (series, theirs), strict=True)
        ]
        return {layer.get("training") for layer in layers} == {True, False}


def _is_output(series: Series) -> bool:
    return (series.role, series.phase) == ("act", "train")


def _rows(keys: Array, own: Array, measures: Array) -> Array:
    """The measures of each key; NaN where a run does not have it."""
    rows = np.full((len(keys), len(COMPARED)), np.nan)
    # Of what was measured more than once in a step, as evaluations are, the first stays.
    _, first = np.unique(own, return_index=True)
    rows[np.searchsorted(keys, own[first])] = measures[first]
    return rows


def _errors_of(rows: Rows, is_output: Array) -> tuple[Array, Array, Array]:
    steps, place = np.unique(rows.steps, return_inverse=True)
    largest, outputs = np.zeros(len(steps)), np.full(len(steps), np.nan)
    np.maximum.at(largest, place, np.where(rows.errors > MEASURING, rows.errors / rows.sensitivity, 0.0))
    here = is_output[rows.series]
    np.fmax.at(outputs, place[here], rows.errors[here])
    return steps, outputs, largest
