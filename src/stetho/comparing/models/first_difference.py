"""The first difference of two models: in the values on the way, then in the gradients, then in what they keep."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stetho.comparing.models.closer import closer, parted
from stetho.comparing.models.gradients import ALL, check_gradients, wanted_kinds
from stetho.comparing.models.reasons import gradient_reasons, reasons, state_reasons
from stetho.comparing.models.region import Parting
from stetho.comparing.models.result import Difference, Spot
from stetho.comparing.models.sides import Sides
from stetho.comparing.models.state import check_state
from stetho.comparing.models.trace import Array, Site, Trace
from stetho.comparing.models.values import laid_out_like
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.tensor_error import TensorError, error_between

if TYPE_CHECKING:
    from stetho.comparing.torch.subject import Subject


def find_difference(
    subjects: tuple["Subject", "Subject"], sides: Sides, recipes: dict[str, Recipe], given: Sequence[tuple[str, str]]
) -> tuple[Difference | None, str]:
    """The first place that differs, None if there is none; and what was compared, in words."""
    ends = sides.unequal or _unequal_given(sides, given)
    if ends:
        parting = parted(sides, ends)
        sides, parting = closer(subjects, sides, parting) if not given else (sides, parting)
        why = reasons(sides.one, sides.other, parting, sides.same, recipes)
        return _told("forward", sides.one, sides.other, parting, why), ""
    ours, theirs = ([pair[side] for pair in sides.outputs] for side in (0, 1))
    kinds = wanted_kinds(sides.one, sides.other, recipes)
    one, other = subjects[0].trace(ours, kinds), subjects[1].trace(theirs, kinds)
    found = check_gradients(one, other, recipes, sides.same)
    outputs = _counted(len(sides.outputs), "output")
    if not found.is_equal:
        one, other = subjects[0].trace(ours, ALL), subjects[1].trace(theirs, ALL)
        found = check_gradients(one, other, recipes, sides.same)
        place = Parting(*(found.place or (None, None)))
        why = gradient_reasons(found.weights, found.apart)
        return _told("gradient", one, other, place, why, found.apart), outputs
    kept = check_state(one, other, sides.same)
    if kept.apart is not None:
        why = state_reasons(kept.name, *kept.place)
        return _told("state", one, other, Parting(*kept.place), why, kept.apart), outputs
    what = [outputs, _counted(found.compared, "gradient")]
    what += [_counted(kept.compared, "buffer")] if kept.compared else []
    return None, f"{', '.join(what[:-1])} and {what[-1]}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"


def _unequal_given(sides: Sides, given: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """The first pair of layers that somebody has matched and that does not agree."""
    ours, theirs = ({layer.name: layer.output for layer in trace.layers} for trace in (sides.one, sides.other))
    pairs = sorted(((ours[a], theirs[b]) for a, b in given), key=lambda pair: pair[1])
    return [pair for pair in pairs if pair[1] not in sides.same.of_other][:1]


def _told(
    stage: str,
    one: Trace,
    other: Trace,
    place: Parting,
    why: Sequence[str],
    apart: tuple[Array, Array] | None = None,
) -> Difference:
    error = None
    if stage == "forward" and place.one is not None and place.other is not None:
        apart = place.one.value, place.other.value
    if apart is not None:
        error = error_of(*apart, one.original_dtype, is_order=place.is_order)
    return Difference(stage, _spot(one, place.one), _spot(other, place.other), error, tuple(why))


def _spot(trace: Trace, site: Site | None) -> Spot | None:
    if site is None:
        return None
    layer = trace.layer_of(site)
    kind = layer.kind if layer is not None else ""
    return Spot(site.layer, kind, site.name, site.value.shape, site.line)


def error_of(one: Array, other: Array, dtype: str, *, is_order: bool = False) -> TensorError | None:
    """The error in the models' own type, where it is visible there."""
    if one.size != other.size:
        return None
    turned = other.reshape(one.shape) if is_order else laid_out_like(one, other)
    if turned is None:
        return None
    if dtype in ("float32", "float16") and one.dtype.kind == "f":
        with np.errstate(all="ignore"):
            narrow = error_between(one.astype(dtype), turned.astype(dtype))
        if narrow is not None and not narrow.is_equal:
            return narrow
    return error_between(one, turned.astype(one.dtype) if one.dtype.kind != "b" else turned)
