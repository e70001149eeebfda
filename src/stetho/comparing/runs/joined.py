"""The measurements that two runs have in common, row by row, with the error of each."""

import functools
from dataclasses import dataclass

import numpy as np

from stetho.comparing.runs.matching import Matching
from stetho.comparing.runs.recorded import COMPARED, Array, Recorded
from stetho.records import Series

COLUMN = {name: place for place, name in enumerate(COMPARED)}
NOISE = 1e-4
"""A tensor this much smaller than the largest of its role in the step is measured by it: it may be all rounding."""
MEASURING = 5e-7
"""The same tensor, measured in another place of memory or along with a histogram, may give numbers this far apart."""
SENSITIVITY = {"act_grad": 2.0, "grad": 2.0, "update": 4.0, "state": 4.0}


@dataclass(frozen=True)
class Joined:
    """Rows that both runs have: step, series of the first run, measures of both."""

    steps: Array
    series: Array
    one: Array
    other: Array
    names: dict[int, Series]
    """The series of the first run by their ids."""
    theirs: dict[int, Series]
    """The series of the second run that each of these stands for."""

    @functools.cached_property
    def errors(self) -> Array:
        """How far apart the rows are: the largest of the differences of moments, relative to the values' own size."""
        a, b = self.one, self.other
        with np.errstate(all="ignore"):
            size = np.fmax(a[:, COLUMN["rms"]], b[:, COLUMN["rms"]])
            reach = np.maximum(a[:, COLUMN["absmax"]], b[:, COLUMN["absmax"]])
            floor = NOISE * self._largest(size)
            moments = np.abs(a - b)[:, [COLUMN[n] for n in ("mean", "std", "rms")]].max(axis=1)
            ends = np.abs(a - b)[:, [COLUMN[n] for n in ("min", "max")]].max(axis=1)
            error = np.maximum(moments / np.maximum(size, floor), ends / np.maximum(reach, floor))
        error[~self.differs] = 0.0
        counts = [COLUMN[name] for name in ("count", "nan", "inf")]
        error[(a[:, counts] != b[:, counts]).any(axis=1) & self.differs] = np.inf
        return np.asarray(np.nan_to_num(error, nan=0.0, posinf=np.inf))

    @functools.cached_property
    def differs(self) -> Array:
        """Whether any number of a row differs at all."""
        same = (self.one == self.other) | (np.isnan(self.one) & np.isnan(self.other))
        return np.asarray(~same.all(axis=1))

    def beyond(self, least: float) -> Array:
        """The rows that differ by more than `least`, as is meant for outputs; with 0, by more than measuring does."""
        return np.asarray(self.differs & (self.errors > np.maximum(least * self._sensitivity, MEASURING)))

    @functools.cached_property
    def _sensitivity(self) -> Array:
        """How many times larger the errors of rounding are in what is computed from the outputs."""
        times = np.ones(max(self.names, default=0) + 1)
        for each in self.names.values():
            times[each.id] = SENSITIVITY.get(each.role.partition(".")[0], 1.0)
        return np.asarray(times[self.series])

    @functools.cached_property
    def faint(self) -> Array:
        """Gradients that are all rounding beside the others; what an optimizer makes of them means nothing."""
        size = np.fmax(self.one[:, COLUMN["rms"]], self.other[:, COLUMN["rms"]])
        return np.asarray(size < NOISE * self._largest(size))

    def _largest(self, size: Array) -> Array:
        """For each row the largest size of its role in its step."""
        roles = {role: place for place, role in enumerate(sorted({one.role for one in self.names.values()}))}
        role_of = np.zeros(max(self.names, default=0) + 1, np.int64)
        for each in self.names.values():
            role_of[each.id] = roles[each.role]
        _, group = np.unique(self.steps * (len(roles) + 1) + role_of[self.series], return_inverse=True)
        largest = np.zeros(group.max() + 1 if len(group) else 0)
        np.maximum.at(largest, group, np.nan_to_num(size, nan=0.0, posinf=0.0))
        return np.asarray(largest[group])


def join(one: Recorded, other: Recorded, matching: Matching) -> Joined:
    """What was measured in both runs, at the same step of the same layer or parameter.

    Gradients and updates that one run alone has are there too: nothing is on the other side of them.
    """
    names = {each.id: each for each in one.series}
    ids = {(each.model, each.name, each.role, each.phase): each.id for each in one.series}
    theirs = {}
    renamed = np.full(max((each.id for each in other.series), default=-1) + 1, -1, np.int64)
    for each in other.series:
        name = matching.name(each.role, (each.model, each.name))
        if name is None:
            continue
        key = (*name, each.role, each.phase)
        if key not in ids:
            ids[key] = max(names, default=-1) + 1
            names[ids[key]] = Series(ids[key], *key)
        renamed[each.id] = ids[key]
        theirs[ids[key]] = each
    steps, series, measures = one.stats
    mapped = renamed[other.stats[1]]
    known = mapped >= 0
    their_steps, mapped, their_measures = other.stats[0][known], mapped[known], other.stats[2][known]
    width = max(names, default=0) + 1
    keys = np.unique(np.concatenate([steps * width + series, their_steps * width + mapped]))
    a, b = _rows(keys, steps * width + series, measures), _rows(keys, their_steps * width + mapped, their_measures)
    joined = Joined(keys // width, keys % width, a, b, names, theirs)
    both = np.isin(keys // width, np.intersect1d(steps, their_steps))
    lonely = np.isnan(a[:, 0]) != np.isnan(b[:, 0])
    kept = both & (~lonely | _may_be_lonely(joined, one, other, matching))
    return Joined(joined.steps[kept], joined.series[kept], a[kept], b[kept], names, theirs)


def _rows(keys: Array, own: Array, measures: Array) -> Array:
    """The measures of each key; NaN where a run does not have it."""
    rows = np.full((len(keys), len(COMPARED)), np.nan)
    # Of what was measured more than once in a step, as evaluations are, the first stays.
    _, first = np.unique(own, return_index=True)
    rows[np.searchsorted(keys, own[first])] = measures[first]
    return rows


def _may_be_lonely(joined: Joined, one: Recorded, other: Recorded, matching: Matching) -> Array:
    """Rows whose absence on one side means something: of layers and parameters that both runs have and train."""
    asked = [[side.run.info.get("options", {}).get(key) for key in ("layers", "gradients")] for side in (one, other)]
    if asked[0] != asked[1]:
        # One run was told to leave things out that the other measured.
        return np.zeros(len(joined.steps), bool)
    layers, parameters = set(matching.layers.values()), {mine: name for name, mine in matching.parameters.items()}

    outputs = {(each.model, each.name): each.id for each in one.series if (each.role, each.phase) == ("act", "train")}

    def counts(series: Series) -> bool:
        name = (series.model, series.name)
        if series.role == "act_grad":
            # Inside of what is compiled neither outputs nor their gradients are seen.
            is_seen = outputs.get(name) in joined.theirs
            return is_seen and (series.model, series.name.partition("[")[0]) in layers
        if name not in parameters:
            return False
        facts = one.parameters[name], other.parameters[parameters[name]]
        # The gradient of a parameter is measured where an optimizer holds it.
        is_held = all(each.get("optimizer") is not None for each in facts)
        return series.role == "update" or (series.role == "grad" and is_held)

    meant = np.asarray([each.id for each in joined.names.values() if counts(each)], dtype=np.int64)
    return np.isin(joined.series, meant)
