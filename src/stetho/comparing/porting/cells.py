"""Weights of recurrent cells: one matrix for the input and one for the state, or both in one; all gates, or each."""

from collections.abc import Iterator, Mapping, Sequence

from stetho.comparing.models.trace import Array
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.usage import Used

MOST_GATES = 4
OF_INPUT, OF_STATE = "_ih", "_hh"
"""How torch names the weights of a cell."""
BIASES = 6.5
"""What it counts that two biases are one: more than one of them alone would."""
Move = tuple[int, int, float, dict[str, Recipe]]
"""So many weights of the first model, so many of the second, a score, and how these are made of those."""


def is_of_a_cell(name: str) -> bool:
    """Whether torch names a weight of a cell like this.

    >>> is_of_a_cell("rnn.weight_ih_l0"), is_of_a_cell("rnn.weight")
    (True, False)
    """
    return OF_INPUT in name or OF_STATE in name


def cell_moves(ours: Sequence[Used], theirs: Sequence[Used]) -> Iterator[Move]:
    """How the next weights of both models can be those of one cell, held together here and apart there."""
    yield from _matrices(ours, theirs)
    for count in range(1, MOST_GATES + 1):
        if _are_biases(ours) and not _are_biases(theirs) and _are_gates(theirs[:count], ours[0], count):
            cut = {each.name: _sum(ours, each, place, count) for place, each in enumerate(theirs[:count])}
            yield 2, count, BIASES + 3.5 * (count - 1), cut
        if _are_biases(theirs) and not _are_biases(ours) and _are_gates(ours[:count], theirs[0], count):
            first, second = theirs[:2]
            joined = Recipe(tuple(each.name for each in ours[:count]), first.value.shape)
            yield (
                count,
                2,
                BIASES + 3.5 * (count - 1),
                {first.name: joined, second.name: Recipe((), second.value.shape)},
            )


def cell_recipes(value: Array, ours: Mapping[str, Array]) -> Iterator[Recipe]:
    """How a tensor may be made of the two matrices or biases of a cell of torch."""
    for name, held in ours.items():
        beside = ours.get(name.replace(OF_INPUT, OF_STATE)) if OF_INPUT in name else None
        if beside is None or held.ndim != value.ndim or len(held) % len(value) or len(beside) != len(held):
            continue
        pair, count = (name, name.replace(OF_INPUT, OF_STATE)), len(held) // len(value)
        for place in range(count) if count <= MOST_GATES else ():
            part = (place, count) if count > 1 else None
            if value.ndim == 1:
                yield Recipe(pair, value.shape, is_summed=True, part=part)
            elif value.ndim == 2 and held.shape[1] + beside.shape[1] == value.shape[1]:
                yield from (Recipe(each, value.shape, is_beside=True, part=part) for each in (pair, pair[::-1]))


def _matrices(ours: Sequence[Used], theirs: Sequence[Used]) -> Iterator[Move]:
    for count in range(1, MOST_GATES + 1):
        if _lie_beside(ours, theirs[:count], count):
            cut = {each.name: _beside(ours, each, place, count) for place, each in enumerate(theirs[:count])}
            yield 2, count, 3.5 * max(count, 2), cut
        if _lie_beside(theirs, ours[:count], count):
            yield count, 2, 3.5 * max(count, 2), dict(_columns(ours[:count], theirs[:2]))


def _lie_beside(pair: Sequence[Used], gates: Sequence[Used], count: int) -> bool:
    """Whether two matrices side by side are these gates, one above the other."""
    both, parts = [each.rows.shape for each in pair[:2]], [each.rows.shape for each in gates]
    if len(both) < 2 or len(parts) < count or any(len(shape) != 2 for shape in both + parts):
        return False
    rows, columns = parts[0]
    is_one_cell = both[0][0] == both[1][0] == rows * count and both[0][1] + both[1][1] == columns
    return is_one_cell and all(shape == parts[0] for shape in parts)


def _beside(ours: Sequence[Used], b: Used, place: int, count: int) -> Recipe:
    return Recipe(
        (ours[0].name, ours[1].name),
        b.value.shape,
        ours[0].is_inputs_first,
        is_beside=True,
        part=(place, count) if count > 1 else None,
        is_turned_back=b.is_inputs_first,
    )


def _columns(gates: Sequence[Used], pair: Sequence[Used]) -> Iterator[tuple[str, Recipe]]:
    start, sources = 0, tuple(each.name for each in gates)
    for each in pair:
        end = start + each.rows.shape[1]
        turned, back = gates[0].is_inputs_first, each.is_inputs_first
        yield each.name, Recipe(sources, each.value.shape, turned, columns=(start, end), is_turned_back=back)
        start = end


def _sum(ours: Sequence[Used], b: Used, place: int, count: int) -> Recipe:
    part = (place, count) if count > 1 else None
    return Recipe((ours[0].name, ours[1].name), b.value.shape, is_summed=True, part=part)


def _are_biases(weights: Sequence[Used]) -> bool:
    """Whether these begin with the two biases of a cell, which others add up to one."""
    pair = weights[:2]
    are_alike = len(pair) == 2 and pair[0].value.shape == pair[1].value.shape
    return are_alike and all(each.value.ndim == 1 and is_of_a_cell(each.name) for each in pair)


def _are_gates(parts: Sequence[Used], whole: Used, count: int) -> bool:
    return len(parts) == count and all(
        each.value.ndim == 1 and each.value.size * count == whole.value.size for each in parts
    )
