"""Why two places differ, read off their values, their settings and their weights."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.region import Parting
from stetho.comparing.models.trace import WEIGHT, Array, Site, Trace
from stetho.comparing.models.values import laid_out_like, likeness
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.usage import lies_inputs_first

MASKED = 1e8
"""Larger numbers stand for what attention must not see."""
LEAST = 1e-6
PLAIN = int | float | str | bool | None
NO_SETTINGS = frozenset(("inplace", "training", "dtype", "_stacklevel", "device", "layout"))


def reasons(one: Trace, other: Trace, parting: Parting, same: Agreements, recipes: Mapping[str, Recipe]) -> list[str]:
    """What can be said of a pair that differs, the most telling first."""
    if parting.one is None or parting.other is None:
        return []
    pair = parting.one, parting.other
    if parting.is_order:
        return ["the same values in another order: axes are turned, split or joined differently"]
    found = [*settings(*pair), *weights(one, other, pair[1], recipes)]
    found += relation("the second", parting.one.value, parting.other.value)
    return [*found, *taken(one, other, pair, same), *missing(one, parting, same)]


def settings(one: Site, other: Site) -> Iterator[str]:
    """Arguments of the same operation that are not the same."""
    if one.name != other.name:
        return
    for name in dict.fromkeys((*one.arguments, *other.arguments)):
        sides = one.arguments.get(name), other.arguments.get(name)
        if name in NO_SETTINGS or sides[0] == sides[1] or name not in one.arguments or name not in other.arguments:
            continue
        if all(isinstance(each, PLAIN) for each in sides):
            yield f"`{name}` is {_said(sides[0])} in the first, {_said(sides[1])} in the second"


def weights(one: Trace, other: Trace, site: Site, recipes: Mapping[str, Recipe]) -> Iterator[str]:
    """Weights of the second's operation that the first has not, or that lie the other way."""
    for each in weights_of(other, site):
        recipe = recipes.get(each.name)
        if each.value.dtype.kind != "f":
            continue
        if recipe is None:
            yield f"weight `{each.name}` holds values that no weight of the first holds"
        elif len(recipe.sources) == 1 and each.value.ndim == 2:
            is_turned = recipe.is_turned != recipe.is_turned_back
            ways = lies_inputs_first(one, recipe.sources[0]), lies_inputs_first(other, each.name)
            if is_turned != (ways[0] != ways[1]):
                yield f"weight `{each.name}` lies the wrong way: it is {recipe}"


def relation(what: str, one: Array, other: Array) -> Iterator[str]:
    """A simple rule that leads from the one tensor to the other."""
    turned = laid_out_like(one, other)
    if turned is None or one.dtype.kind != "f" or turned.dtype.kind != "f":
        return
    with np.errstate(all="ignore"):
        masked = ~(np.abs(one) < MASKED), ~(np.abs(turned) < MASKED)
        unlike = int((masked[0] != masked[1]).sum())
        if unlike:
            yield f"{unlike} of {one.size} elements are masked on one side only"
            return
        a, b = one[~masked[0]], turned[~masked[0]]
        if a.size < 2 or not a.any() or not (b - a).any():
            return
        ratio, apart = float(np.vdot(a, b) / np.vdot(a, a)), b - a
        if abs(ratio - 1) > LEAST and np.abs(b - ratio * a).max() <= LEAST * np.abs(b).max():
            yield f"{what} is {ratio:.6g} times the first, at every element"
        elif np.ptp(apart) <= LEAST * np.abs(apart).max():
            yield f"{what} is larger by {apart.mean():.6g}, at every element"


def taken(one: Trace, other: Trace, pair: tuple[Site, Site], same: Agreements) -> Iterator[str]:
    """Inputs of the same operation that are not the same."""
    ours, theirs = ([t.sites[each] for each in site.operands] for t, site in zip((one, other), pair, strict=True))
    ours, theirs = ([each for each in side if each.is_data] for side in (ours, theirs))
    if pair[0].name != pair[1].name or len(ours) != len(theirs):
        return
    for left, right in zip(ours, theirs, strict=True):
        agreement = same.of_other.get(right.number)
        if left.value.size != right.value.size or likeness(left.value, right.value, same.tolerance) is not None:
            continue
        yield from relation("what the second takes", left.value, right.value)
        if agreement is not None:
            users = [one.sites[each] for each in one.consumers.get(agreement.one, [])]
            names = dict.fromkeys(each.name for each in users if each.name != pair[0].name)
            if names:
                yield f"the second does {pair[1].name} to what the first does {' and '.join(names)} to"


def missing(one: Trace, parting: Parting, same: Agreements) -> Iterator[str]:
    """What one side alone does with values in which both agree."""
    ours, theirs = parting.first_one, parting.first_other
    if ours is None or theirs is None or parting.one is None or parting.other is None:
        return
    known = {same.of_other[each].one for each in theirs.operands if each in same.of_other}
    extra = [one.sites[each] for each in ours.operands if one.sites[each].is_data and each not in known]
    if len(extra) == 1 and len([each for each in ours.operands if one.sites[each].is_data]) == 2 and known:
        line = f" ({short(ours.line)})" if ours.line else ""
        yield f"only the first makes use of {extra[0].label} here, by {ours.label}{line}"
    elif ours.number < parting.one.number and ours.name != theirs.name == parting.one.name:
        yield f"before that, the first does {ours.label}{f' ({short(ours.line)})' if ours.line else ''}"


def weights_of(trace: Trace, site: Site) -> list[Site]:
    """The weights that an operation takes, also through turned or cut ones."""
    found = []
    for operand in site.operands:
        each = trace.sites[operand]
        if each.kind == WEIGHT:
            found.append(each)
        elif not each.is_data:
            found.extend(weights_of(trace, each))
    return found


def short(line: str | None) -> str:
    """A source line without its folders."""
    return line.rpartition("/")[2] if line else ""


def _said(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)
