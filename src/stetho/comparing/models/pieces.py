"""One model does at once what the other does piece by piece: heads, channels, experts or steps, in a loop."""

from collections.abc import Iterable

import numpy as np

from stetho.comparing.models.trace import Array, Site, Trace
from stetho.comparing.models.values import fingerprint, is_close, is_near

MOST_PIECES = 64
JOINING = ("cat", "stack")
"""What these give holds pieces by its nature, in whatever order."""
Known = dict[int, int]
"""Sites of one model, each with the site of the other that holds the same values."""


def in_pieces(
    traces: tuple[Trace, Trace], unlike: tuple[list[Site], list[Site]], tolerance: float
) -> tuple[Known, Known]:
    """Of the sites without a partner, those that are a piece of one of the other model, or lie in pieces there."""
    known: tuple[Known, Known] = ({}, {})
    for here, there in ((0, 1), (1, 0)):
        by_size: dict[int, list[tuple[Site, Array]]] = {}
        for site in unlike[there]:
            if site.is_float:
                for value in parts_of(site.value):
                    by_size.setdefault(value.size, []).append((site, value))
        for site in (*unlike[here], *_before(traces[here], unlike[here])):
            found, is_whole = _pieces(site, by_size, tolerance)
            known[there].update(dict.fromkeys(found, site.number))
            if is_whole:
                known[here][site.number] = found[0]
    return known


def _before(trace: Trace, sites: list[Site]) -> list[Site]:
    """The sites that these are made of, and that have a partner."""
    inside = {site.number for site in sites}
    numbers = {each for site in sites for each in site.operands} - inside
    return [trace.sites[each] for each in sorted(numbers) if trace.sites[each].is_data]


def parts_of(value: Array) -> Iterable[Array]:
    """A tensor as it is; of complex numbers, the real and the imaginary parts.

    >>> [part.tolist() for part in parts_of(np.array([1 + 2j, 3j]))]
    [[1.0, 0.0], [2.0, 3.0]]
    """
    return (value.real, value.imag) if np.iscomplexobj(value) else (value,)


def _pieces(site: Site, by_size: dict[int, list[tuple[Site, Array]]], tolerance: float) -> tuple[list[int], bool]:
    """The sites that a site is made of along one of its axes, and whether they are all there."""
    best: tuple[list[int], bool] = ([], False)
    if not site.is_float:
        return best
    whole = np.stack(list(parts_of(site.value)), -1) if np.iscomplexobj(site.value) else site.value
    for axis, count in enumerate(whole.shape):
        candidates = by_size.get(whole.size // max(count, 1), [])
        if not (2 <= count <= MOST_PIECES and candidates):
            continue
        slices = [each.reshape(-1) for each in np.moveaxis(whole, axis, 0)]
        found = [_piece(each, candidates, tolerance) for each in slices]
        pieces = [number for number in found if number is not None]
        # Anything can be zeros.
        tells = any(at is not None and (each != each[0]).any() for each, at in zip(slices, found, strict=True))
        is_whole = len(pieces) == count and site.name not in JOINING
        if tells and (is_whole, len(pieces)) > (best[1], len(best[0])):
            best = pieces, is_whole
    return best


def _piece(value: Array, candidates: list[tuple[Site, Array]], tolerance: float) -> int | None:
    mine = fingerprint(value)
    for site, each in candidates:
        if is_near(fingerprint(each), mine, tolerance) and is_close(value, each.reshape(-1), tolerance):
            return site.number
    return None
