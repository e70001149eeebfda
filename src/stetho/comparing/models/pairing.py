"""Which of the places that differ in one model belongs to which of the other."""

from collections.abc import Container

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.trace import Site, Trace
from stetho.comparing.models.values import cosine, is_masked, laid_out_like

ALIKE, AKIN = 0.95, 0.3
"""Sites with a lower cosine are not taken for the same place: different operations, and the same one."""
BONUS = 0.1
SCALING = ("mul", "div", "truediv")
FEW, PROPORTION = 4, 1e-9
"""Of fewer numbers a proportion tells nothing; and how far from it all others may be."""


def best_pair(ours: list[Site], theirs: list[Site], starts: list[Site]) -> tuple[Site, Site] | None:
    """The first site of the second region with the one of the first that it belongs to.

    What comes later in the same layer is taken instead where that is like one of `starts`, whose inputs agree: one
    model may do in many steps what the other does in one, and have nothing in common with it but the result.
    """
    if not theirs:
        return None
    start = theirs[0]
    if ours and ours[0].name == start.name and fits(ours[0], start):
        return ours[0], start
    near = partner(start, [each for each in ours if each in starts or each.call == ours[0].call])
    if near is not None:
        return near, start
    for later in theirs[1:]:
        near = partner(later, starts, needs_likeness=True) if later.call == start.call else None
        if near is not None:
            return near, later
    return next(((each, start) for each in (*starts, *ours) if fits(each, start)), None)


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
                given = [inside[each] for each in mine.operands if each in inside and fits(inside[each], site)]
                if given:
                    return given[0], site
                if fits(mine, yours):
                    return mine, yours
    return None


def scaled_on(traces: tuple[Trace, Trace], pair: tuple[Site, Site], known: Container[int]) -> tuple[Site, Site]:
    """A pair whose values are in one proportion, taken on to the last place where either side scales them.

    One model scales queries and the other scores: what differs is how much they are scaled in all.
    """
    if not is_proportional(*pair):
        return pair
    found = []
    for trace, site in zip(traces, pair, strict=True):
        while (after := _scaling(trace, site)) is not None and not (trace is traces[1] and after.number in known):
            site = after
        found.append(site)
    return found[0], found[1]


def is_proportional(one: Site, other: Site) -> bool:
    """Whether the values of one site are those of the other times one number."""
    turned = laid_out_like(one.value, other.value) if fits(one, other) and one.is_float else None
    if turned is None or one.value.size < FEW or np.iscomplexobj(turned) or np.iscomplexobj(one.value):
        return False
    length = float(np.vdot(one.value, one.value))
    with np.errstate(all="ignore"):
        ratio = float(np.vdot(one.value, turned)) / length if length else 0.0
        return bool(ratio and np.abs(turned - ratio * one.value).max() <= PROPORTION * np.abs(turned).max())


def _scaling(trace: Trace, site: Site) -> Site | None:
    """The operation that multiplies these values by one number, if nothing else is done with them."""
    takers = [trace.sites[each] for each in trace.consumers.get(site.number, [])]
    if len(takers) != 1 or takers[0].name not in SCALING:
        return None
    others = [trace.sites[each] for each in takers[0].operands if each != site.number]
    return takers[0] if all(each.value.size == 1 and not each.is_data for each in others) else None


def partner(site: Site, ours: list[Site], *, needs_likeness: bool = False) -> Site | None:
    """The site that is most like this one; the same operation needs less likeness, the earlier of two wins."""
    best, found = 0.0, None
    for each in ours:
        if not fits(each, site):
            continue
        near = likeness_of(each, site)
        is_same = each.name == site.name and not needs_likeness
        if near < (AKIN if is_same else ALIKE):
            continue
        if near + BONUS * is_same > best + 1e-6:
            best, found = near + BONUS * is_same, each
    return found


def fits(one: Site, other: Site) -> bool:
    """Whether two sites can hold the same values."""
    return one.value.size == other.value.size and one.is_float == other.is_float


def likeness_of(a: Site, b: Site) -> float:
    """How much the values of two sites are in one direction, whichever way their axes stand."""
    if not a.is_float:
        return float(np.mean(np.sort(a.value, None) == np.sort(b.value, None)))
    turned = laid_out_like(a.value, b.value)
    if turned is None:
        return 0.0
    # What is masked on one side only stands at another place.
    return abs(cosine(a.value, turned)) * float(np.mean(is_masked(a.value) == is_masked(turned)))
