"""Why two places differ, read off their values, their settings and their weights."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.casts import CASTS
from stetho.comparing.models.region import Parting
from stetho.comparing.models.trace import WEIGHT, Array, Site, Trace
from stetho.comparing.models.values import laid_out_like, likeness
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.usage import lies_inputs_first

MASKED = 1e8
"""Larger numbers stand for what attention must not see."""
LEAST = 1e-6
VISIBLE = 1e-4
"""A factor nearer to one than this is no rule: it is how small the difference is."""
PLAIN = int | float | str | bool | None
NO_SETTINGS = frozenset(("inplace", "training", "dtype", "_stacklevel", "device", "layout"))
NO_SIZES = frozenset(("size", "shape", "dims"))
"""Lists that say how values are laid out, which may be another way in each of them."""


def reasons(one: Trace, other: Trace, parting: Parting, same: Agreements, recipes: Mapping[str, Recipe]) -> list[str]:
    """What can be said of a pair that differs, the most telling first."""
    if parting.one is None or parting.other is None:
        return [*ended(parting)]
    pair = parting.one, parting.other
    if parting.is_order:
        return ["the same values in another order: axes are turned, split or joined differently"]
    found = [*casts(*pair), *settings(*pair), *weights(one, other, pair[1], recipes)]
    found += relation("the second", parting.one.value, parting.other.value)
    found += [*taken(one, other, pair, same), *missing(one, other, parting, same)]
    return [*found, *blocks(other, pair[1], recipes)]


def ended(parting: Parting) -> Iterator[str]:
    """One of them has nothing to do here: it gives back what the other goes on with."""
    for which, else_, site in (("second", "first", parting.one), ("first", "second", parting.other)):
        if site is not None:
            line = f" ({short(site.line)})" if site.line else ""
            yield f"the {which} ends here: all that it gives back is in the {else_}, which does {site.label} too{line}"


def casts(one: Site, other: Site) -> Iterator[str]:
    """A type that only one of them casts to."""
    for which, site, beside in (("first", one, other), ("second", other, one)):
        if site.name in CASTS and beside.name not in CASTS:
            types = [each for each in site.arguments.values() if isinstance(each, str)]
            name = str(types[0]).removeprefix("torch.") if types else site.name
            yield f"only the {which} casts these values here, to {name}: they are rounded"


def gradient_reasons(names: Sequence[str], apart: tuple[Array, Array] | None) -> list[str]:
    """What can be said of gradients that differ: of which weights, and how."""
    found = [f"the outputs agree; the gradient of {' and '.join(f'`{each}`' for each in names[:3])} does not"]
    if apart is None:
        return found
    for which, side in zip(("first", "second"), apart, strict=True):
        if not side.any():
            return [*found, f"in the {which}, no gradient comes there: it is cut off, or not used"]
    return [*found, *relation("the gradient of the second", *apart)]


def state_reasons(name: str, one: Site | None, other: Site | None) -> list[str]:
    """What can be said of a buffer that differs after the call."""
    words = f"outputs and gradients agree; after a call in training, `{name}` does not"
    return [words, *(settings(one, other) if one is not None and other is not None else ())]


def settings(one: Site, other: Site) -> Iterator[str]:
    """Arguments of the same operation that are not the same."""
    if one.name != other.name:
        return
    for name in dict.fromkeys((*one.arguments, *other.arguments)):
        if name in NO_SETTINGS or name not in one.arguments or name not in other.arguments:
            continue
        sides = _as_lists(name, one.arguments[name], other.arguments[name])
        if sides[0] != sides[1] and all(map(_is_plain, sides)):
            yield f"`{name}` is {_said(sides[0])} in the first, {_said(sides[1])} in the second"


def _as_lists(name: str, one: Any, other: Any) -> tuple[Any, Any]:
    """Both values, a single number beside a list as many of it as the list has: a stride of 2 is one of [2, 2]."""
    if name in NO_SIZES:
        return None, None
    if isinstance(one, list) and isinstance(other, int):
        return one, [other] * len(one)
    return ([one] * len(other), other) if isinstance(other, list) and isinstance(one, int) else (one, other)


def _is_plain(value: Any) -> bool:
    return isinstance(value, PLAIN) or (isinstance(value, list) and all(isinstance(each, PLAIN) for each in value))


def weights(one: Trace, other: Trace, site: Site, recipes: Mapping[str, Recipe]) -> Iterator[str]:
    """Weights of the second's operation that the first has not, or that lie the other way."""
    for each in weights_of(other, site):
        recipe = recipes.get(each.name)
        if each.value.dtype.kind != "f":
            continue
        if recipe is None:
            twin = next((name for name, own in one.weights.items() if _is_shuffled(own, each.value)), None)
            if twin is not None and not np.ptp(each.value):
                # Norms begin with ones and zeros: an order of these says nothing.
                continue
            if twin is not None:
                yield f"weight `{each.name}` holds the values of `{twin}` in another order"
            else:
                yield f"weight `{each.name}` holds values that no weight of the first holds"
        elif recipe.rows and len(recipe.sources) == 1 and each.value.shape == one.weights[recipe.sources[0]].shape:
            yield f"weight `{each.name}` holds the values of `{recipe.sources[0]}` in another order"
        elif len(recipe.sources) == 1 and each.value.ndim == 2:
            is_turned = recipe.is_turned != recipe.is_turned_back
            ways = lies_inputs_first(one, recipe.sources[0]), lies_inputs_first(other, each.name)
            if is_turned != (ways[0] != ways[1]):
                yield f"weight `{each.name}` lies the wrong way: it is {recipe}"


def blocks(other: Trace, site: Site, recipes: Mapping[str, Recipe]) -> Iterator[str]:
    """Weights of the second's layer that hold blocks of the first's in another order: gates, heads."""
    before = [each for each in other.sites[: site.number + 1] if each.call == site.call]
    for name in dict.fromkeys(weight.name for each in before for weight in weights_of(other, each)):
        if name in recipes and recipes[name].order:
            yield f"weight `{name}` holds blocks in another order: it is {recipes[name]}"


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
        if abs(ratio - 1) > VISIBLE and np.abs(b - ratio * a).max() <= LEAST * np.abs(b).max():
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


def missing(one: Trace, other: Trace, parting: Parting, same: Agreements) -> Iterator[str]:
    """What one side alone does with values in which both agree."""
    ours, theirs = parting.first_one, parting.first_other
    if ours is None or theirs is None or parting.one is None or parting.other is None:
        return
    known = {same.of_other[each].one for each in theirs.operands if each in same.of_other}
    extra = [one.sites[each] for each in ours.operands if one.sites[each].is_data and each not in known]
    if len(extra) == 1 and len([each for each in ours.operands if one.sites[each].is_data]) == 2 and known:
        line = f" ({short(ours.line)})" if ours.line else ""
        yield f"only the first makes use of {extra[0].label} here, by {ours.label}{line}"
    elif ours.name != theirs.name:
        # Two that take the same weight stand at the same place for certain, whatever they are called.
        mine = {each.number for each in weights_of(one, parting.one)}
        yours = [same.of_other.get(each.number) for each in weights_of(other, parting.other)]
        sure = any(each is not None and each.one in mine for each in yours)
        if _is_alone(ours, parting.one, theirs, sure and theirs is parting.other):
            yield f"before that, the first does {ours.label}{f' ({short(ours.line)})' if ours.line else ''}"
        elif _is_alone(theirs, parting.other, ours, sure and ours is parting.one):
            yield f"before that, the second does {theirs.label}{f' ({short(theirs.line)})' if theirs.line else ''}"
        elif not sure and parting.other is theirs and known.intersection(ours.operands) and ours.call != theirs.call:
            yield f"the second does {theirs.label} to what the first does {ours.label} to"


def _is_alone(start: Site, place: Site, beside: Site, is_beginning: bool) -> bool:
    """Whether one side does something before the place where they part, and the other begins with that place."""
    # A layer of its own: what comes before in the same layer may be done at once by the other.
    is_own = is_beginning and start.call != place.call
    return start.number < place.number and (beside.name == place.name or is_own)


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


def _is_shuffled(one: Array, other: Array) -> bool:
    """Whether two tensors hold the same numbers, at other places."""
    is_like = one.size == other.size and one.dtype == other.dtype
    return is_like and np.array_equal(np.sort(one, None), np.sort(other, None))


def short(line: str | None) -> str:
    """A source line without its folders."""
    return line.rpartition("/")[2] if line else ""


def _said(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(value)
