"""The measurements of some steps that two runs have in common, row by row, with the error of each."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stetho.comparing.runs.recorded import COMPARED, Array
from stetho.records import Series

COLUMN = {name: place for place, name in enumerate(COMPARED)}
NOISE = 1e-4
"""A tensor this much smaller than the largest of its role in the step is measured by it: it may be all rounding."""
MEASURING = 5e-7
"""The same tensor, measured in another place of memory or along with a histogram, may give numbers this far apart."""
SENSITIVITY = {"act_grad": 2.0, "grad": 2.0, "update": 4.0, "state": 4.0}
IN_FEW_DIGITS = 8.0
"""The same of gradients in half precision: a ReLU may open for a sample that it was closed to."""


@dataclass(frozen=True)
class Rows:
    """Rows that both runs have: step, series of the first run, measures of both."""

    steps: Array
    series: Array
    one: Array
    other: Array
    names: Mapping[int, Series]
    """The series of the first run by their ids."""
    has_few_digits: bool = False
    """Whether either run computes in half precision."""

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
        return np.asarray(self.differs & (self.errors > np.maximum(least * self.sensitivity, MEASURING)))

    @functools.cached_property
    def sensitivity(self) -> Array:
        """How many times larger the errors of rounding are in what is computed from the outputs."""
        times = np.ones(max(self.names, default=0) + 1)
        for each in self.names.values():
            times[each.id] = SENSITIVITY.get(each.role.partition(".")[0], 1.0)
        found = np.asarray(times[self.series])
        return np.where(self._follows, IN_FEW_DIGITS, found) if self.has_few_digits else found

    @functools.cached_property
    def _follows(self) -> Array:
        """Whether a row is of a gradient, or of what is no further apart than twice the gradient that it is made of."""
        series = [self.names[int(each)] for each in self.series]
        keys = [(step, each.model, each.name) for step, each in zip(self.steps.tolist(), series, strict=True)]
        rows = list(zip(keys, series, self.errors.tolist(), strict=True))
        of_gradients = {key: error for key, each, error in rows if each.role == "grad"}
        return np.asarray(
            [
                each.role.endswith("grad")
                or (each.role.startswith(("update", "state")) and error <= 2 * of_gradients.get(key, 0.0))
                for key, each, error in rows
            ],
            dtype=bool,
        )

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
