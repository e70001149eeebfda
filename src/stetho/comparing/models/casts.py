"""Numbers that one model alone casts to another type: what is rounded or cut there is the first difference."""

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.trace import Site, Trace

CASTS = frozenset(("to", "type", "type_as", "half", "float", "double", "bfloat16", "int", "long", "short", "byte"))
"""Functions that give the values they take, as far as their type holds them."""


def cast_alone(
    traces: tuple[Trace, Trace], starts: tuple[list[Site], list[Site]], same: Agreements
) -> tuple[Site, Site] | None:
    """What one model casts where the other goes on with the values as they are, and these values in the other."""
    for site in starts[1]:
        for operand in site.operands if site.name in CASTS else ():
            if operand in same.of_other:
                return traces[0].sites[same.of_other[operand].one], site
    for site in starts[0]:
        for operand in site.operands if site.name in CASTS else ():
            if operand in same.of_one:
                return site, traces[1].sites[same.of_one[operand].other]
    return None
