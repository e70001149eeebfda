"""What a difference comes from: an operand in another order, a table of weights, a constant that is made on the way."""

from collections.abc import Iterable, Mapping

from stetho.comparing.models.agreement import Agreement, Agreements
from stetho.comparing.models.trace import OPERATION, Site, Trace
from stetho.comparing.models.values import REORDERED, is_close, laid_out_like, likeness

PASSING = ("to", "view", "reshape", "unsqueeze", "expand", "contiguous", "float", "type_as", "clone")
Pair = tuple[Site, Site]


def reordered_since(one: Trace, other: Trace, pair: Pair, same: Agreements) -> Pair | None:
    """Where an input of the same operation got into another order, which no turning of axes explains."""
    a, b = pair
    ours, theirs = ([trace.sites[each] for each in site.operands] for trace, site in ((one, a), (other, b)))
    if a.name != b.name or len(ours) != len(theirs):
        return None
    for left, right in zip(ours, theirs, strict=True):
        if left.is_data and right.is_data and right.operands and left.is_float and _is_shuffled(left, right, same):
            kept = {
                each: agreement
                for each, agreement in same.of_other.items()
                if agreement.how != REORDERED or not _is_shuffled(one.sites[agreement.one], other.sites[each], same)
            }
            known = {agreement.one: agreement for agreement in kept.values()}
            return _origin(one, left, known), _origin(other, right, kept)
    return None


def weights_inside(one: Trace, other: Trace, pair: Pair, same: Agreements) -> Pair | None:
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
    return None


def constants_inside(
    traces: tuple[Trace, Trace], starts: tuple[Site | None, Site | None], pair: Pair, same: Agreements
) -> Pair | None:
    """The same operation that made another constant of the same: angles of another base, a mask with another edge."""
    ours = _made_anew(traces[0], (starts[0], pair[0]), same.of_one)
    theirs = _made_anew(traces[1], (starts[1], pair[1]), same.of_other)
    firsts = [
        [site for site in made if not {each.number for each in made} & {*site.operands}] for made in (ours, theirs)
    ]
    # A constant may be in the other model by chance: numbers from zero on are everywhere.
    return _alike(firsts[0], firsts[1]) or _alike(ours, theirs)


def _alike(ours: Iterable[Site], theirs: Iterable[Site]) -> Pair | None:
    """The first two that the same operation made, of the same shape."""
    pairs = ((left, right) for right in theirs for left in ours)
    return next(
        (
            (left, right)
            for left, right in pairs
            if left.name == right.name and left.value.shape == right.value.shape and left.is_float == right.is_float
        ),
        None,
    )


def _made_anew(trace: Trace, users: Iterable[Site | None], known: Mapping[int, Agreement]) -> list[Site]:
    """The sites that no input flows into and that the other model has not, behind what these operations take."""
    waiting = [each for site in users if site is not None for each in site.operands]
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        site = trace.sites[number]
        if not (number in seen or number in known or site.is_data or site.kind != OPERATION):
            seen.add(number)
            waiting.extend(site.operands)
    return [trace.sites[each] for each in sorted(seen)]


def _is_shuffled(one: Site, other: Site, same: Agreements) -> bool:
    if likeness(one.value, other.value, same.tolerance) != REORDERED:
        return False
    turned = laid_out_like(one.value, other.value)
    return turned is not None and not is_close(one.value, turned, same.tolerance)


def _origin(trace: Trace, site: Site, kept: Mapping[int, Agreement]) -> Site:
    """The first site on the way to this one that is not as it should be."""
    while True:
        before = [each for each in site.operands if trace.sites[each].is_data and each not in kept]
        if not before:
            return site
        site = trace.sites[before[-1]]


def _looked_up(trace: Trace, site: Site) -> Site:
    """The site behind mere changes of type and shape."""
    while site.name in PASSING and site.operands:
        site = trace.sites[site.operands[0]]
    return site


def _has_weights(trace: Trace, site: Site) -> bool:
    return any(trace.sites[each].kind == "weight" or _has_weights(trace, trace.sites[each]) for each in site.operands)
