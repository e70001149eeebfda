"""Weights that hold one number alone, as new norms and biases do: only where they are used tells which is which."""

from collections.abc import Mapping

from stetho.comparing.models.agreement import Agreement, Agreements
from stetho.comparing.models.trace import WEIGHT, Site, Trace
from stetho.comparing.porting.by_value import is_telling


def partners_by_use(one: Trace, other: Trace, same: Agreements) -> dict[str, str]:
    """For weights of the second model, those of the first: the only ones of such values between the same two places.

    Both ends of the way have to agree: the values that go in, and those that come out.
    """
    found: dict[str, str] = {}
    for number, agreement in sorted(same.of_other.items()):
        if not other.sites[number].is_data or not one.sites[agreement.one].is_data:
            continue
        theirs = _plain(_weights_since(other, other.sites[number], same.of_other))
        ours = _plain(_weights_since(one, one.sites[agreement.one], same.of_one)) if theirs else {}
        for kind, names in theirs.items():
            if len(names) == 1 == len(ours.get(kind, ())):
                found.setdefault(*names, *ours[kind])
    return found


def _weights_since(trace: Trace, end: Site, known: Mapping[int, Agreement]) -> list[Site]:
    """The weights that came in since the last values in which both models agree."""
    waiting, seen, found = list(end.operands), set(), []
    while waiting:
        site = trace.sites[waiting.pop()]
        if site.number in seen or (site.is_data and site.number in known):
            continue
        seen.add(site.number)
        waiting.extend(site.operands)
        if site.kind == WEIGHT:
            found.append(site)
    return found


def _plain(weights: list[Site]) -> dict[tuple[int, float], list[str]]:
    """Names of those that hold one number alone, by their size and that number."""
    found: dict[tuple[int, float], list[str]] = {}
    for site in weights:
        if site.is_float and site.value.size and not is_telling(site.value):
            found.setdefault((site.value.size, float(site.value.flat[0])), []).append(site.name)
    return found
