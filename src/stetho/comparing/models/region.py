"""Where two models part: what leads to an output that differs, back to the last values in which they agree."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from stetho.comparing.models.agreement import Agreement, Agreements
from stetho.comparing.models.casts import cast_alone
from stetho.comparing.models.pairing import SCALING, anchored, best_pair, fits, scaled_on
from stetho.comparing.models.pieces import in_pieces
from stetho.comparing.models.sources import constants_inside, reordered_since, weights_inside
from stetho.comparing.models.trace import Site, Trace
from stetho.comparing.models.values import REORDERED

AHEAD = 24
"""So many sites from the first differing one on are looked at for the pair that belongs together."""


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
    known = _known(same.of_one, ends[0], "other"), _known(same.of_other, ends[1], "one")
    ours, theirs = region(one, ends[0], known[0].__contains__), region(other, ends[1], known[1].__contains__)
    if not are_one_place(beginnings(ours), beginnings(theirs), known[1]):
        # One of them may do at once what the other does piece by piece.
        pieces = in_pieces((one, other), (ours, theirs), same.tolerance)
        known = pieces[0] | known[0], pieces[1] | known[1]
        closer = region(one, ends[0], known[0].__contains__), region(other, ends[1], known[1].__contains__)
        ours, theirs = closer[0] or ours, closer[1] or theirs
    starts = beginnings(ours), _without_moved(beginnings(theirs), _weights_in(one, ours), known[1])
    first_one, first_other = (next(iter(each), None) for each in starts)
    cast = cast_alone((one, other), starts, same)
    if cast is not None:
        return Parting(*cast, *cast)
    if first_one is not None and first_other is not None and are_one_place(*starts, known[1]):
        pair: tuple[Site, Site] | None = (first_one, first_other)
    elif otherwise := set_otherwise(*starts, known[1]):
        pair = otherwise
    else:
        pair = best_pair(_ahead(ours, first_one), _ahead(theirs, first_other), starts[0])
    if pair is not None and pair[1] is not first_other:
        pair = min(pair, anchored((one, other), ours, theirs, same) or pair, key=lambda found: found[1].number)
    if pair is None:
        return Parting(first_one, first_other, first_one, first_other)
    pair = scaled_on((one, other), pair, known[1])
    turned = reordered_since(one, other, pair, same)
    if turned is not None:
        return Parting(*turned, first_one, first_other, is_order=True)
    inside = constants_inside((one, other), (first_one, first_other), pair, same) or weights_inside(
        one, other, pair, same
    )
    return Parting(*(inside or pair), first_one, first_other)


def _weights_in(trace: Trace, found: list[Site]) -> set[int]:
    """The weights and constants that a region multiplies by."""
    factors = {each for site in found if site.name in SCALING for each in site.operands}
    return {each for each in factors if not trace.sites[each].is_data}


def _without_moved(starts: list[Site], factors: set[int], known: Mapping[int, int]) -> list[Site]:
    """Without products that the first model forms too, earlier or later: that is no difference by itself."""
    moved = [
        site for site in starts if site.name in SCALING and any(known.get(each) in factors for each in site.operands)
    ]
    return [site for site in starts if site not in moved] or starts


def are_one_place(ours: list[Site], theirs: list[Site], known: Mapping[int, int]) -> bool:
    """Whether both begin to differ with the same operation on the same values: nothing is left to look for."""
    if not ours or not theirs or ours[0].name != theirs[0].name:
        return False
    return fits(ours[0], theirs[0]) or any(known.get(each) in ours[0].operands for each in theirs[0].operands)


def set_otherwise(ours: list[Site], theirs: list[Site], known: Mapping[int, int]) -> tuple[Site, Site] | None:
    """The same operation on the same values with other settings: a power, an axis; however all around it is written."""
    for site in theirs:
        given = [known.get(each) for each in site.operands]
        for each in ours:
            is_same = each.name == site.name and each.name not in SCALING and fits(each, site)
            if is_same and given and given == list(each.operands) and each.arguments != site.arguments:
                return each, site
    return None


def _known(agreements: Mapping[int, Agreement], ends: list[int], partner: str) -> dict[int, int]:
    """Sites that agree, each with its partner; at the very end, the same values in another order are a difference."""
    return {
        number: getattr(agreement, partner)
        for number, agreement in agreements.items()
        if agreement.how != REORDERED or not (agreement.one in ends or agreement.other in ends)
    }


def _ahead(found: list[Site], start: Site | None) -> list[Site]:
    later = [site for site in found if start is not None and site.number > start.number]
    return [start, *later[:AHEAD]] if start is not None else []
