"""What looks wrong in a checkpoint: values that are no numbers, dead and doubled tensors, odd scales."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from statistics import median
from typing import Any, cast

from stetho.checkpoints.difference import difference
from stetho.checkpoints.measuring import Measured, Progress, TensorStats, measure_checkpoint
from stetho.checkpoints.opening import Source
from stetho.store.documents import plain

FORMAT = 1
SEVERITIES = ("error", "warning", "note")
STATE = re.compile(
    r"(^|[./_])(optimi[sz]ers?|opt_state|optimizer_states|exp_avg|exp_avg_sq|momentum|moments?|slots?)([./_]|$)"
)
TRAINED = re.compile(r"(weight|bias|gamma|beta)$")
"""Vectors of other names may be means and sizes of anything."""
VARIANCE = re.compile(r"(running_var|moving_variance|exp_avg_sq)$")
LARGEST = {"float16": 65504.0, "float8_e4m3fn": 448.0, "float8_e5m2": 57344.0, "bfloat16": 3.39e38, "float32": 3.4e38}
MANY_DENORMALS = 0.01
ODD_SCALE = 100.0
PEERS = 4
HUGE, TINY = 1e4, 1e-8


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that looks wrong, with its number."""

    kind: str
    severity: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class CheckpointCheck:
    """What checking a checkpoint gave; `stetho.check_checkpoint` gives it."""

    measured: Measured
    problems: Sequence[Problem]

    @property
    def is_clear(self) -> bool:
        """Whether nothing worse than a note was found."""
        return all(problem.severity == "note" for problem in self.problems)

    def table(self) -> list[dict[str, Any]]:
        """A row for each problem, ready for `pandas.DataFrame`."""
        return [asdict(problem) for problem in self.problems]

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; numbers that JSON has no word for become text."""
        checkpoint = self.measured.checkpoint
        document = {
            "format": FORMAT,
            "path": str(checkpoint.path),
            "checkpoint": checkpoint.format,
            "tensors": len(checkpoint),
            "clear": self.is_clear,
            "problems": self.table(),
            "notes": list(checkpoint.notes),
        }
        return cast(dict[str, Any], plain(document))


def check_checkpoint(source: Source, progress: Progress | None = None) -> CheckpointCheck:
    """What looks wrong in a checkpoint: NaN, infinity, dead, doubled and denormal tensors, odd scales; the worst first.

    >>> import numpy as np
    >>> np.savez("weights.npz", w=np.array([1.0, np.nan], np.float32))
    >>> check_checkpoint("weights.npz").problems[0].text
    '1 of 2 elements are NaN'
    """
    measured = measure_checkpoint(source, progress)
    found = [problem for stats in measured.stats.values() for problem in _single(stats)]
    found += _odd_scales(measured)
    found += _doubles(measured)
    return CheckpointCheck(measured, sorted(found, key=lambda problem: SEVERITIES.index(problem.severity)))


def is_state(name: str) -> bool:
    """Whether a name is that of an optimizer's state, which is often zero or very small.

    >>> is_state("optimizer.state.0.exp_avg"), is_state("encoder.0.weight")
    (True, False)
    """
    return STATE.search(name) is not None


def _single(stats: TensorStats) -> Iterator[Problem]:
    for kind, count, word in (("nan", stats.nans, "NaN"), ("infinity", stats.infs, "infinite")):
        if count:
            yield Problem(kind, "error", stats.name, f"{count:,} of {stats.elements:,} elements are {word}")
    if VARIANCE.search(stats.name) and stats.low < 0:
        yield Problem("variance", "error", stats.name, f"a variance is negative: {stats.low:.4g}")
    if is_state(stats.name):
        return
    is_weight = len(stats.shape) >= 2 and stats.elements > 1
    severity = "warning" if is_weight else "note"
    if stats.is_constant and stats.elements > 1:
        kind = "zeros" if stats.low == 0 else "constant"
        text = "all elements are zero" if kind == "zeros" else f"all {stats.elements:,} elements are {stats.low:.4g}"
        yield Problem(kind, severity, stats.name, text)
    if stats.elements and stats.denormals > MANY_DENORMALS * stats.elements:
        share = stats.denormals / stats.elements
        yield Problem(
            "denormal", "warning", stats.name, f"{share:.1%} of the elements are denormal: slow, and few digits"
        )
    yield from _range(stats, is_weight)


def _range(stats: TensorStats, is_weight: bool) -> Iterator[Problem]:
    largest = LARGEST.get(stats.dtype)
    if largest is None or not isfinite(stats.rms):
        return
    if stats.absmax > largest / 2:
        text = f"the largest magnitude {stats.absmax:.4g} is within a factor of two of what {stats.dtype} can hold"
        yield Problem("scale", "warning", stats.name, text)
    elif (is_weight or TRAINED.search(stats.name)) and stats.rms > HUGE:
        yield Problem("scale", "warning", stats.name, f"an rms of {stats.rms:.4g}; weights are rarely above {HUGE:g}")
    elif is_weight and 0 < stats.rms < TINY:
        yield Problem("scale", "warning", stats.name, f"an rms of {stats.rms:.4g}; weights are rarely below {TINY:g}")


def _odd_scales(measured: Measured) -> Iterator[Problem]:
    """Tensors far from the others that have the same role: the same last name and number of axes."""
    groups: dict[tuple[str, int], list[TensorStats]] = defaultdict(list)
    for stats in measured.stats.values():
        if len(stats.shape) >= 2 and stats.rms > 0 and isfinite(stats.rms) and not is_state(stats.name):
            groups[re.split(r"[./]", stats.name)[-1], len(stats.shape)].append(stats)
    for (role, _), peers in groups.items():
        middle = median(stats.rms for stats in peers)
        for stats in peers if len(peers) >= PEERS else ():
            if not middle / ODD_SCALE < stats.rms < middle * ODD_SCALE:
                text = f"an rms of {stats.rms:.4g}, where the median of all `{role}` is {middle:.4g}"
                yield Problem("scale", "warning", stats.name, text)


def _doubles(measured: Measured) -> Iterator[Problem]:
    """Tensors with the same numbers. The few that agree in every stat are compared element by element."""
    groups: dict[tuple[object, ...], list[TensorStats]] = defaultdict(list)
    for stats in measured.stats.values():
        if stats.elements > 1 and not stats.is_constant and stats.nans + stats.infs < stats.elements:
            key = stats.shape, stats.dtype, stats.low, stats.high, stats.mean, stats.std, stats.histogram
            groups[key].append(stats)
    tensors = measured.checkpoint
    for first, *others in groups.values():
        for stats in others:
            one, other = tensors[first.name], tensors[stats.name]
            if one.stored == other.stored:
                yield Problem("shared", "note", stats.name, f"is the same storage as `{first.name}`: tied weights")
            elif difference(one, other).changed == 0 and not (is_state(first.name) and is_state(stats.name)):
                yield Problem("duplicated", "warning", stats.name, f"has the same numbers as `{first.name}`")
