"""Where two models part: what leads to an output that differs, back to the last values in which they agree."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from stetho.comparing.models.agreement import Agreement, Agreements
from stetho.comparing.models.trace import Site, Trace
from stetho.comparing.models.values import REORDERED, cosine, is_close, laid_out_like, likeness

AHEAD = 24
"""So many sites from the first differing one on are looked at for the pair that belongs together."""
ALIKE, AKIN = 0.95, 0.3
"""Sites with a lower cosine are not taken for the same place: different operations, and the same one."""
BONUS = 0.1
PASSING = ("to", "view", "reshape", "unsqueeze", "expand", "contiguous", "float", "type_as", "clone")


@dataclass(frozen=True, slots=True)
class Parting:
    """The places where the models part: first sites that differ on each side, and the pair that belongs together."""

    one: Site | None
    other: Site | None
    first_one: Site | None = None
    """The first site of the first model without a counterpart, whose own inputs agree; the same for the second."""
    first_other: Site | None = None
    is_order: bool = False
    """Whether the values are the same, in another order."""


def region(trace: Trace, ends: Iterable[int], agrees: Callable[[int], bool]) -> list[Site]:
    """The sites that differ and lead to these ends, without those behind a site that agrees, in their order."""
    waiting, seen = list(ends), set()
    while waiting:
        number = waiting.pop()
        site = trace.sites[number]
        if number in seen or agrees(number) or not site.is_data:
            continue
        seen.add(number)
        waiting.extend(site.operands)
    return [trace.sites[number] for number in sorted(seen)]


def beginnings(found: list[Site]) -> list[Site]:
    """Those of a region whose own inputs all agree; real numbers before masks and places."""
    inside = {site.number for site in found}
    starts = [site for site in found if not any(operand in inside for operand in site.operands)]
    return sorted(starts, key=lambda site: (not site.is_float, site.number))


def part(one: Trace, other: Trace, ends: tuple[list[int], list[int]], same: Agreements) -> Parting:
    """Find the places where two models part on the way to outputs that differ."""
    ours = region(one, ends[0], lambda number: _agreed(same.of_one.get(number), ends[0]))
    theirs = region(other, ends[1], lambda number: _agreed(same.of_other.get(number), ends[1]))
    first_one = next(iter(beginnings(ours)), None)
    first_other = next(iter(beginnings(theirs)), None)
    pair = best_pair(_ahead(ours, first_one), _ahead(theirs, first_other))
    if pair is not None and pair[1] is not first_other:
        pair = min(pair, anchored((one, other), ours, theirs, same) or pair, key=lambda found: found[1].number)
    if pair is None:
        return Parting(first_one, first_other, first_one, first_other)
    turned = _reordered_operand(one, other, pair, same)
    if turned is not None:
        return Parting(*turned, first_one, first_other, is_order=True)
    return Parting(*_weights_inside(one, other, pair, same), first_one, first_other)


def best_pair(ours: list[Site], theirs: list[Site]) -> tuple[Site, Site] | None:
    """The first site of the second region with the one of the first that it belongs to.

    What comes later in the same layer is taken instead where the first one has no likeness and that has: two
    implementations of a function may have nothing in common but its result.
    """
    if not theirs:
        return None
    start = theirs[0]
    if ours and ours[0].name == start.name and _fits(ours[0], start):
        return ours[0], start
    near = partner(start, ours)
    if near is not None:
        return near, start
    for later in theirs[1:]:
        near = partner(later, ours, needs_likeness=True) if later.call == start.call else None
        if near is not None:
            return near, later
    return next(((each, start) for each in ours if _fits(each, start)), None)


def anchored(
    traces: tuple[Trace, Trace], ours: list[Site], theirs: list[Site], same: Agreements
) -> tuple[Site, Site] | None:
    """The first sites that go into the same operation with the same weights, so that they stand at the same place.

    Where what goes into it agrees on one side, it is that operation itself.
    """
    inside = {site.number: site for site in ours}
    users: dict[int, list[Site]] = {}
    for site in ours:
        for operand in site.operands:
            users.setdefault(operand, []).append(site)
    for site in theirs:
        for yours in (traces[1].sites[each] for each in traces[1].consumers.get(site.number, [])):
            known = [same.of_other[each].one for each in yours.operands if each in same.of_other]
            weights = [each for each in known if not traces[0].sites[each].is_data]
            for mine in (each for weight in weights for each in users.get(weight, []) if each.name == yours.name):
                given = [inside[each] for each in mine.operands if each in inside and _fits(inside[each], site)]
                if given:
                    return given[0], site
                if _fits(mine, yours):
                    return mine, yours
    return None


def partner(site: Site, ours: list[Site], *, needs_likeness: bool = False) -> Site | None:
    """The site that is most like this one; the same operation needs less likeness, the earlier of two wins."""
    best, found = 0.0, None
    for each in ours:
        if not _fits(each, site):
            continue
        near = likeness_of(each, site)
        is_same = each.name == site.name and not needs_likeness
        if near < (AKIN if is_same else ALIKE):
            continue
        if near + BONUS * is_same > best + 1e-6:
            best, found = near + BONUS * is_same, each
    return found


def _fits(one: Site, other: Site) -> bool:
    return one.value.size == other.value.size and one.is_float == other.is_float


def likeness_of(a: Site, b: Site) -> float:
    """How much the values of two sites are in one direction, whichever way their axes stand."""
    if not a.is_float:
        return float(np.mean(np.sort(a.value, None) == np.sort(b.value, None)))
    turned = laid_out_like(a.value, b.value)
    return abs(cosine(a.value, turned)) if turned is not None else 0.0


def _agreed(agreement: Agreement | None, ends: list[int]) -> bool:
    """At the very end, the same values in another order are a difference."""
    if agreement is None:
        return False
    return agreement.how != REORDERED or not (agreement.one in ends or agreement.other in ends)


def _ahead(found: list[Site], start: Site | None) -> list[Site]:
    later = [site for site in found if start is not None and site.number > start.number]
    return [start, *later[:AHEAD]] if start is not None else []


def _reordered_operand(one: Trace, other: Trace, pair: tuple[Site, Site], same: Agreements) -> tuple[Site, Site] | None:
    """An input of the same operation that holds the same values in another order, which no turning of axes explains."""
    a, b = pair
    ours, theirs = ([trace.sites[each] for each in site.operands] for trace, site in ((one, a), (other, b)))
    if a.name != b.name or len(ours) != len(theirs):
        return None
    for left, right in zip(ours, theirs, strict=True):
        if not (left.is_data and right.is_data and right.operands and left.is_float):
            continue
        if likeness(left.value, right.value, same.tolerance) == REORDERED:
            turned = laid_out_like(left.value, right.value)
            if turned is not None and not is_close(left.value, turned, same.tolerance):
                return left, right
    return None


def _weights_inside(one: Trace, other: Trace, pair: tuple[Site, Site], same: Agreements) -> tuple[Site, Site]:
    """What was looked up among the weights or made of them, where that is what differs: a table of positions."""
    a, b = pair
    own = [one.sites[each] for each in a.operands]
    for yours in b.operands:
        right = other.sites[yours]
        if right.is_data or not right.operands or not right.is_float or yours in same.of_other:
            continue
        for left in own:
            is_free = not left.is_data and left.operands and left.number not in same.of_one
            if is_free and left.is_float and left.value.size == right.value.size and _has_weights(one, left):
                return _looked_up(one, left), _looked_up(other, right)
    return pair


def _looked_up(trace: Trace, site: Site) -> Site:
    """The site behind mere changes of type and shape."""
    while site.name in PASSING and site.operands:
        site = trace.sites[site.operands[0]]
    return site


def _has_weights(trace: Trace, site: Site) -> bool:
    return any(trace.sites[each].kind == "weight" or _has_weights(trace, trace.sites[each]) for each in site.operands)
