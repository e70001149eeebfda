"""Two lists of weights laid side by side: one to one, one into several, several into one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from stetho.comparing.porting.cells import cell_moves
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.stacks import stacked
from stetho.comparing.porting.usage import Used

MOST_PARTS = 4
UNEVEN = 3.0
"""What a part of unequal length counts: less than one of equal length, since more can fit by chance."""
GAP_ONE, GAP_OTHER = -0.3, -1.0
"""A weight of the first that is not needed costs less than one of the second that gets no values."""
SYNONYMS = {
    "q": "query", "k": "key", "v": "value", "wq": "query", "wk": "key", "wv": "value", "query": "query", "key": "key",
    "gamma": "weight", "beta": "bias", "b": "bias", "w": "weight", "kernel": "weight", "q_proj": "query",
    "k_proj": "key", "v_proj": "value", "running_mean": "mean", "running_var": "var",
}  # fmt: skip
QKV = ("query", "key", "value")


def align(ours: Sequence[Used], theirs: Sequence[Used]) -> dict[str, Recipe]:
    """For each weight of the second list, how it is made from the first; those without a partner are left out.

    Matrices and vectors are laid side by side each for themselves, since their order among each other is nobody's
    convention.
    """
    found: dict[str, Recipe] = {}
    for is_vector in (False, True):
        one = [each for each in ours if (each.value.ndim < 2) == is_vector]
        other = [each for each in theirs if (each.value.ndim < 2) == is_vector]
        found |= _aligned(one, other)
    found |= stacked(ours, theirs, found)
    return found | _left_over(ours, theirs, found)


def _left_over(ours: Sequence[Used], theirs: Sequence[Used], found: Mapping[str, Recipe]) -> dict[str, Recipe]:
    """Weights that stand in another order in both lists: by shape, and the nearest name."""
    taken = {source for recipe in found.values() for source in recipe.sources}
    free = {each.name: each for each in ours if each.name not in taken}
    late: dict[str, Recipe] = {}
    for b in theirs:
        fitting = [each for each in free.values() if each.rows.shape == b.rows.shape or _bare(each) == _bare(b)]
        if b.name not in found and fitting:
            a = max(fitting, key=lambda each: closeness(each.name, b.name))
            late[b.name] = _whole(a, b) if a.rows.shape == b.rows.shape else Recipe((a.name,), b.value.shape)
            del free[a.name]
    return late


def _aligned(ours: Sequence[Used], theirs: Sequence[Used]) -> dict[str, Recipe]:
    scores = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    steps: dict[tuple[int, int], tuple[int, int, dict[str, Recipe]]] = {}
    for i in range(len(ours), -1, -1):
        for j in range(len(theirs), -1, -1):
            if i == len(ours) and j == len(theirs):
                continue
            best, step = _best(ours, theirs, i, j, scores)
            scores[i][j], steps[i, j] = best, step
    found: dict[str, Recipe] = {}
    place = (0, 0)
    while place in steps:
        i, j, recipes = steps[place]
        found |= recipes
        place = (i, j)
    return found


def _best(
    ours: Sequence[Used], theirs: Sequence[Used], i: int, j: int, scores: list[list[float]]
) -> tuple[float, tuple[int, int, dict[str, Recipe]]]:
    # Of equal scores the first wins: rather a match now than one later.
    options: list[tuple[float, tuple[int, int, dict[str, Recipe]]]] = [
        (scores[i + used][j + given] + gain, (i + used, j + given, recipes))
        for used, given, gain, recipes in _moves(ours[i : i + MOST_PARTS], theirs[j : j + MOST_PARTS])
    ]
    if i < len(ours):
        options.append((scores[i + 1][j] + GAP_ONE, (i + 1, j, {})))
    if j < len(theirs):
        options.append((scores[i][j + 1] + GAP_OTHER, (i, j + 1, {})))
    return max(options, key=lambda option: option[0])


def _moves(ours: Sequence[Used], theirs: Sequence[Used]) -> Iterator[tuple[int, int, float, dict[str, Recipe]]]:
    """How the next weights of both lists can belong together, with a score."""
    if not ours or not theirs:
        return
    a, b = ours[0], theirs[0]
    if a.rows.shape == b.rows.shape:
        yield 1, 1, 4.0 + 2 * closeness(a.name, b.name), {b.name: _whole(a, b)}
    elif a.value.size == b.value.size and _bare(a) == _bare(b):
        yield 1, 1, 2.0 + 2 * closeness(a.name, b.name), {b.name: Recipe((a.name,), b.value.shape)}
    elif kernel := _kernel(a, b):
        yield 1, 1, 2.0 + 2 * closeness(a.name, b.name), {b.name: kernel}
    elif a.rows.shape == b.rows.shape[::-1]:
        yield 1, 1, 1.5, {b.name: replace(_whole(a, b), is_turned_back=not b.is_inputs_first)}
    for count in range(2, MOST_PARTS + 1):
        parts = theirs[:count]
        if len(parts) == count and all(_is_part(each, a, count) for each in parts):
            yield 1, count, 3.5 * count, {each.name: _part(a, each, place, count) for each, place in _placed(parts)}
        whole = ours[:count]
        if len(whole) == count and all(_is_part(each, b, count) for each in whole):
            sources = tuple(each.name for each, _ in sorted(_placed(whole), key=lambda pair: pair[1]))
            recipe = Recipe(sources, b.value.shape, whole[0].is_inputs_first, is_turned_back=b.is_inputs_first)
            yield count, 1, 3.5 * count, {b.name: recipe}
        yield from _uneven(ours, theirs, count)
    yield from cell_moves(ours, theirs)


def _uneven(
    ours: Sequence[Used], theirs: Sequence[Used], count: int
) -> Iterator[tuple[int, int, float, dict[str, Recipe]]]:
    """Parts of unequal length: queries of more heads than keys and values have, or keys and values in one."""
    a, b, parts, whole = ours[0], theirs[0], theirs[:count], ours[:count]
    if _are_uneven(parts, a, count):
        cut, start = {}, 0
        for each, _ in sorted(_placed(parts), key=lambda pair: pair[1]):
            end = start + len(each.rows)
            cut[each.name] = replace(
                _whole(a, each), rows=tuple(range(start, end)), said_of_rows=f"rows {start + 1} to {end}"
            )
            start = end
        yield 1, count, UNEVEN * count, cut
    if _are_uneven(whole, b, count):
        sources = tuple(each.name for each, _ in sorted(_placed(whole), key=lambda pair: pair[1]))
        recipe = Recipe(sources, b.value.shape, whole[0].is_inputs_first, is_turned_back=b.is_inputs_first)
        yield count, 1, UNEVEN * count, {b.name: recipe}


def _are_uneven(parts: Sequence[Used], whole: Used, count: int) -> bool:
    sizes = [each.rows.shape for each in parts]
    if len(parts) != count or not whole.rows.ndim or not all(sizes) or len({size[0] for size in sizes}) < 2:
        return False
    is_fitting = all(size[1:] == whole.rows.shape[1:] for size in sizes)
    return is_fitting and sum(size[0] for size in sizes) == len(whole.rows)


def closeness(one: str, other: str) -> float:
    """How much two names have in common, words of the same meaning counted as one.

    >>> closeness("h.0.ln_1.gamma", "blocks.0.norm.weight") > closeness("h.0.ln_1.gamma", "blocks.1.norm.bias")
    True
    """
    ours, theirs = ({SYNONYMS.get(word, word) for word in name.split(".")} for name in (one, other))
    return len(ours & theirs) / len(ours | theirs)


def _kernel(a: Used, b: Used) -> Recipe | None:
    """The kernel of a convolution over patches as the matrix that does the same to each patch, or the other way."""
    ndims = sorted((a.value.ndim, b.value.ndim))
    if ndims[0] != 2 or ndims[1] < 3 or a.value.size != b.value.size or len(a.rows) != len(b.rows):
        return None
    axes = tuple(range(ndims[1]))
    return Recipe((a.name,), b.value.shape, a.is_inputs_first, axes=axes, is_turned_back=b.is_inputs_first)


def _whole(a: Used, b: Used) -> Recipe:
    return Recipe((a.name,), b.value.shape, a.is_inputs_first, is_turned_back=b.is_inputs_first)


def _part(a: Used, b: Used, place: int, count: int) -> Recipe:
    return Recipe((a.name,), b.value.shape, a.is_inputs_first, part=(place, count), is_turned_back=b.is_inputs_first)


def _is_part(part: Used, whole: Used, count: int) -> bool:
    rows, every = part.rows.shape, whole.rows.shape
    return bool(rows and every and rows[0] * count == every[0] and rows[1:] == every[1:])


def _placed(parts: Sequence[Used]) -> list[tuple[Used, int]]:
    """Each part with its place: queries, keys and values in this order by their names, all others as they come."""
    roles = [next((SYNONYMS[w] for w in each.name.split(".") if SYNONYMS.get(w) in QKV), "") for each in parts]
    if sorted(roles) == sorted(QKV):
        return [(each, QKV.index(role)) for each, role in zip(parts, roles, strict=True)]
    return [(each, place) for place, each in enumerate(parts)]


def _bare(used: Used) -> tuple[int, ...]:
    return tuple(size for size in used.value.shape if size != 1)
