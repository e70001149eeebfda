"""Which tensors of two models hold the same values, wherever they stand and whatever they are called."""

from collections.abc import Mapping
from dataclasses import dataclass

from stetho.comparing.models.trace import Array, Site, Trace
from stetho.comparing.models.values import EXACT, REORDERED, RESHAPED, fingerprint, is_near, likeness

RANK = {EXACT: 0, RESHAPED: 1, REORDERED: 2}


@dataclass(frozen=True, slots=True)
class Agreement:
    """A site of one model, the site of the other that holds the same values, and how these are laid out."""

    one: int
    other: int
    how: str


class Agreements:
    """All pairs of sites that hold the same values, looked up from either side.

    What a model computes and does not use is left out. `forced` are pairs that somebody else has made: such a site
    agrees with its partner or with nothing.
    """

    def __init__(self, one: Trace, other: Trace, tolerance: float, forced: Mapping[int, int] | None = None) -> None:
        self.tolerance = tolerance
        self._prints: dict[int, Array] = {}
        self.of_other: dict[int, Agreement] = {}
        self.of_one: dict[int, Agreement] = {}
        forced = forced or {}
        backward = {theirs: ours for ours, theirs in forced.items()}
        by_size: dict[tuple[int, bool], list[Site]] = {}
        for site in one.living:
            by_size.setdefault((site.value.size, site.is_float), []).append(site)
        for site in other.living:
            near = by_size.get((site.value.size, site.is_float), [])
            if site.number in backward:
                near = [one.sites[backward[site.number]]]
            else:
                near = [each for each in near if each.number not in forced]
            self._look(site, near, len(one.sites) / max(len(other.sites), 1))

    def _look(self, site: Site, candidates: list[Site], pace: float) -> None:
        """The best of all that agree: of the same kind and layout, then with the same name, then near in time."""
        mine = self._print(site)
        found: list[tuple[tuple[object, ...], Agreement]] = []
        for each in candidates:
            if not is_near(self._print(each), mine, max(self.tolerance, 1e-12)):
                continue
            how = likeness(each.value, site.value, self.tolerance)
            if how is None:
                continue
            agreement = Agreement(each.number, site.number, how)
            order = (each.kind != site.kind, RANK[how], each.name != site.name, abs(each.number - site.number * pace))
            found.append((order, agreement))
            known = self.of_one.get(each.number)
            if known is None or RANK[known.how] > RANK[how]:
                self.of_one[each.number] = agreement
        if found:
            self.of_other[site.number] = min(found, key=lambda pair: pair[0])[1]

    def _print(self, site: Site) -> Array:
        known = self._prints.get(id(site))
        if known is None:
            known = self._prints[id(site)] = fingerprint(site.value)
        return known
