"""Two models side by side, as they were run: what agrees, and which outputs belong together and do not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.outputs import pair_outputs
from stetho.comparing.models.trace import WEIGHT, Array, Site, Trace
from stetho.comparing.models.values import EXACT, RESHAPED, likeness
from stetho.comparing.porting.by_value import is_telling

if TYPE_CHECKING:
    from stetho.comparing.torch.subject import Subject

PRECISE, ROUGH, SINGLE = 1e-9, 1e-6, 3e-5
"""How far values may be apart: in double precision, where a part of it is single, and in the models' own types."""
DOUBLE, SHORT = 8, 1024
Ends = Sequence[tuple[int, int]]
"""Pairs of sites, one of each model."""


@dataclass(frozen=True)
class Sides:
    """Both models as they were run, what agrees, and which outputs belong together."""

    one: Trace
    other: Trace
    same: Agreements
    outputs: list[tuple[int, int]]

    @property
    def unequal(self) -> list[tuple[int, int]]:
        """The sites of outputs that belong together and are not the same."""
        pairs = [(self.one.outputs[a], self.other.outputs[b]) for a, b in self.outputs]
        return [(a, b) for a, b in pairs if self._how(a, b) not in (EXACT, RESHAPED)]

    def _how(self, a: int, b: int) -> str | None:
        return likeness(self.one.sites[a].value, self.other.sites[b].value, self.same.tolerance)


def holds_rounded(sides: Sides) -> bool:
    """Whether a model holds constants in single precision that the other has not, or makes anew in double precision."""
    return any(
        is_telling(site.value) and not _is_exact(site.value)
        for trace, known in ((sides.one, sides.same.of_one), (sides.other, sides.same.of_other))
        for site in trace.living
        if site.number not in known and site.is_float and not site.is_data and _is_single(trace, site)
    )


def _is_single(trace: Trace, site: Site) -> bool:
    """Whether a constant was made in single precision, whatever its type is now."""
    return (site.kind == WEIGHT and site.name in trace.buffers) or (
        site.kind != WEIGHT and site.value.dtype.itemsize < DOUBLE
    )


def _is_exact(value: Array) -> bool:
    """Whether these are short numbers, which no type rounds: masks, counts, halves."""
    return bool(np.all(value * SHORT == np.round(value * SHORT)))


def joined(traces: tuple[Trace, Trace], tolerance: float, given: Sequence[tuple[str, str]] = ()) -> Sides:
    """Both runs, and what agrees; `given` are pairs of layers that somebody has made."""
    ours, theirs = ({layer.name: layer.output for layer in trace.layers} for trace in traces)
    same = Agreements(*traces, tolerance, {ours[a]: theirs[b] for a, b in given})
    return Sides(*traces, same, pair_outputs(*traces, tolerance))


def sides_of(
    subjects: tuple["Subject", "Subject"], tolerance: float | None = None, given: Sequence[tuple[str, str]] = ()
) -> Sides:
    """Both models as they are now, run once; how far values may be apart depends on the types that they compute in."""
    one, other = (subject.trace() for subject in subjects)
    is_precise = one.is_precise and other.is_precise
    is_single = not any(site.value.dtype.itemsize >= DOUBLE for site in one.sites if site.is_float and site.is_data)
    limit = tolerance or (PRECISE if is_precise else SINGLE if is_single else ROUGH)
    return joined((one, other), limit, given)
