"""The table of matches: which layer of one model is which of the other, by values, then by order, shape and name."""

from collections.abc import Sequence
from dataclasses import dataclass

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.trace import Layer, Trace
from stetho.comparing.models.values import likeness

GAP = -0.5


@dataclass(frozen=True, slots=True)
class Match:
    """A layer of each model; one is None where the other model has nothing like it.

    `how` is same, reshaped or reordered where the outputs hold the same values, and else differs. Without a partner it
    is inside where the other model has such values all the same, and alone where it has not.
    """

    one: Layer | None
    other: Layer | None
    how: str = "differs"
    is_given: bool = False
    """Whether somebody said so, in a file."""


def match_layers(one: Trace, other: Trace, same: Agreements, given: Sequence[tuple[str, str]] = ()) -> list[Match]:
    """All layers of both models, each once, in the order of the second."""
    ours, theirs = {layer.name: layer for layer in one.layers}, {layer.name: layer for layer in other.layers}
    found = [Match(ours[a], theirs[b], _how(one, other, ours[a], theirs[b], same), is_given=True) for a, b in given]
    for pair in found:
        ours.pop(pair.one.name if pair.one else "", None)
        theirs.pop(pair.other.name if pair.other else "", None)
    for layer in list(theirs.values()):
        near = [each for each in ours.values() if _holds_same(each, layer, same)]
        if near:
            best = min(near, key=lambda each: _unlikeness(each, layer))
            found.append(Match(best, layer, _how(one, other, best, layer, same)))
            del ours[best.name], theirs[layer.name]
    # What holds values that the other model has too is no partner of what differs: another layer took its place.
    found += [Match(each, None, "inside") for each in ours.values() if each.output in same.of_one]
    found += [Match(None, each, "inside") for each in theirs.values() if each.output in same.of_other]
    left = aligned(
        sorted((each for each in ours.values() if each.output not in same.of_one), key=_done),
        sorted((each for each in theirs.values() if each.output not in same.of_other), key=_done),
        one,
        other,
    )
    found += [Match(a, b, _how(one, other, a, b, same) if a and b else "alone") for a, b in left]
    return _in_order(found)


def aligned(
    ours: list[Layer], theirs: list[Layer], one: Trace, other: Trace
) -> list[tuple[Layer | None, Layer | None]]:
    """Two sequences of layers laid side by side, with gaps, so that shapes, classes and names fit best."""
    table = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i in range(len(ours) - 1, -1, -1):
        for j in range(len(theirs) - 1, -1, -1):
            both = table[i + 1][j + 1] + _fit(ours[i], theirs[j], one, other)
            table[i][j] = max(both, table[i + 1][j] + GAP, table[i][j + 1] + GAP)
    found: list[tuple[Layer | None, Layer | None]] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if table[i][j] == table[i + 1][j + 1] + _fit(ours[i], theirs[j], one, other):
            found.append((ours[i], theirs[j]))
            i, j = i + 1, j + 1
        elif table[i][j] == table[i + 1][j] + GAP:
            found.append((ours[i], None))
            i += 1
        else:
            found.append((None, theirs[j]))
            j += 1
    return found + [(each, None) for each in ours[i:]] + [(None, each) for each in theirs[j:]]


def _fit(a: Layer, b: Layer, one: Trace, other: Trace) -> float:
    sizes = one.sites[a.output].value, other.sites[b.output].value
    if sizes[0].size != sizes[1].size:
        return -2.0
    likeness_of_places = (a.is_leaf == b.is_leaf) + (a.kind == b.kind) + _same_name(a.name, b.name)
    return 1.0 + (sizes[0].shape == sizes[1].shape) + likeness_of_places


def _same_name(one: str, other: str) -> float:
    ours, theirs = set(one.split(".")), set(other.split("."))
    return len(ours & theirs) / max(len(ours | theirs), 1)


def _unlikeness(a: Layer, b: Layer) -> tuple[object, ...]:
    return (a.is_leaf != b.is_leaf, a.kind != b.kind, a.depth != b.depth, -_same_name(a.name, b.name), a.output)


def _holds_same(a: Layer, b: Layer, same: Agreements) -> bool:
    agreement = same.of_other.get(b.output)
    back = same.of_one.get(a.output)
    return (agreement is not None and agreement.one == a.output) or (back is not None and back.other == b.output)


def _how(one: Trace, other: Trace, a: Layer, b: Layer, same: Agreements) -> str:
    return likeness(one.sites[a.output].value, other.sites[b.output].value, same.tolerance) or "differs"


def _done(layer: Layer) -> tuple[int, int]:
    """When a layer is done; the inner of two comes first."""
    return layer.output, -layer.depth


def _in_order(matches: list[Match]) -> list[Match]:
    """By when the second model is done with a layer; layers of the first alone stand behind the one before them."""
    there = sorted((each.one.output, each.other.output) for each in matches if each.one and each.other)

    def place(match: Match) -> tuple[int, int, int]:
        layer = match.other or match.one
        assert layer is not None
        if match.other is not None:
            return match.other.output, 0, -layer.depth
        before = [theirs for ours, theirs in there if ours <= layer.output]
        return max(before, default=-1), layer.output + 1, -layer.depth

    return sorted(matches, key=place)
