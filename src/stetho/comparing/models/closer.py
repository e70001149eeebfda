"""Where two models part, and a closer look where one of them does in one step what the other does in many."""

from typing import TYPE_CHECKING

from stetho.comparing.models.region import Parting, part
from stetho.comparing.models.sides import Ends, Sides, joined
from stetho.comparing.models.trace import Site

if TYPE_CHECKING:
    from stetho.comparing.torch.subject import Subject


def parted(sides: Sides, ends: Ends) -> Parting:
    """Find the places where two models part on the way to these pairs of sites."""
    return part(sides.one, sides.other, ([a for a, _ in ends], [b for _, b in ends]), sides.same)


def closer(subjects: tuple["Subject", "Subject"], sides: Sides, parting: Parting) -> tuple[Sides, Parting]:
    """Where one model does in one step what the other does in many, take it apart and look how far they agree then."""
    from stetho.comparing.torch.fused import STEPS

    pair, starts = (parting.one, parting.other), (parting.first_one, parting.first_other)
    if pair[0] is None or pair[1] is None or pair[0].name == pair[1].name or parting.is_order:
        return sides, parting
    for here, there in ((0, 1), (1, 0)):
        site, start = starts[here], starts[there]
        if site is None or start is None or site.name not in STEPS:
            continue
        traces = [sides.one, sides.other]
        traces[here] = subjects[here].opened(site.name)
        near = joined((traces[0], traces[1]), sides.same.tolerance)
        found = parted(near, near.unequal) if near.unequal else parting
        later = (found.first_one, found.first_other)[there]
        # Whoever uses the function too does not do it in many steps.
        if (
            later is not None
            and later.name != site.name
            and (later.number > start.number or _meets(found, there, start))
        ):
            return near, found
    return sides, parting


def _meets(found: Parting, side: int, start: Site) -> bool:
    """Whether the first step that differs now stands beside one of the same kind: both pad, each in its own way.

    `var_mean` is of the kind of `var`.
    """
    one, other = found.one, found.other
    if one is None or other is None or (one, other)[side].number != start.number:
        return False
    return not set(one.name.split("_")).isdisjoint(other.name.split("_"))
