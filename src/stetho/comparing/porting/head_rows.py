"""Rows of attention weights in the orders in which people store them.

Queries, keys and values in one matrix lie one after the other, or side by side for each head, or for each element. The
elements that a rotary embedding turns together lie beside each other, or half a head apart.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from stetho.comparing.models.trace import Array
from stetho.comparing.porting.alignment import SYNONYMS
from stetho.comparing.porting.recipe import Recipe

BY_ROLE, BY_HEAD, BY_ELEMENT = "by role", "by head", "by element"
AXES = {BY_ROLE: (0, 1, 2), BY_HEAD: (1, 0, 2), BY_ELEMENT: (1, 2, 0)}
"""In which order roles (0), heads (1) and the elements of a head (2) count the rows."""
PAIRS = {"": "", "apart": "turned pairs apart, then side by side", "beside": "turned pairs side by side, then apart"}
TURNED_ROLES = 2
"""Queries and keys, which come first, are turned; values are not."""
WHOLE_ROLES = (3, 2)
"""How many roles one matrix of attention may hold: queries, keys and values, or keys and values."""


def other_heads(
    recipes: Mapping[str, Recipe], sources: Mapping[str, Array], shapes: Iterable[tuple[int, ...]]
) -> Iterator[dict[str, Recipe]]:
    """The same recipes with rows in the orders of other conventions, for heads of sizes that tensors of a model show.

    `shapes` are those of the tensors. All layers are changed at once, since one hand has written them.
    """
    sizes = _head_sizes(shapes)
    ways = [(size, pairs, part) for size in sizes for pairs in PAIRS for part in ([size] if pairs else [0])]
    # Of some models, only the first elements of each head are turned.
    ways += [(size, pairs, part) for size in sizes for pairs in [*PAIRS][1:] for part in sizes if part < size]
    for size, pairs, part in ways:
        turned = _separate(recipes, sources, size, pairs, part) if pairs else {}
        for ours, theirs in product(AXES, AXES):
            fused = _fused(recipes, sources, size, (pairs, part), (ours, theirs))
            alone: list[dict[str, Recipe]] = [{}] if turned and ours == theirs == BY_ROLE else []
            for group in (*alone, *_groups(fused, sources)):
                yield {**recipes, **turned, **group}


def _groups(fused: Mapping[str, Recipe], sources: Mapping[str, Array]) -> list[dict[str, Recipe]]:
    """Those that are attention for sure, since they are cut or joined; else those that may be by their shape alone.

    A matrix that is twice or four times as high as wide is more often a layer of a plain network, which has no heads.
    """
    sure = {name: each for name, each in fused.items() if each.part is not None or len(each.sources) > 1}
    by_roles = [
        {name: each for name, each in (sure or fused).items() if _roles(each, sources)[0] == count}
        for count in WHOLE_ROLES
    ]
    return [each for each in by_roles if each]


def _head_sizes(shapes: Iterable[tuple[int, ...]]) -> list[int]:
    """How many elements a head may have: the last axis of what has an axis for heads."""
    found = {size for shape in shapes if len(shape) > 3 for size in shape[-2:] if size > 1}
    return sorted(found, reverse=True)


def _fused(
    recipes: Mapping[str, Recipe],
    sources: Mapping[str, Array],
    size: int,
    turning: tuple[str, int],
    layouts: tuple[str, str],
) -> dict[str, Recipe]:
    """Those that hold several roles on one side or on both, with rows that lie as told."""
    found, (ours, theirs) = {}, layouts
    for name, recipe in recipes.items():
        roles, is_cut, is_joined = _roles(recipe, sources)
        count = _count(recipe, sources)
        if roles < 2 or count % (roles * size) or (is_cut and theirs != BY_ROLE) or (is_joined and ours != BY_ROLE):
            continue
        if _is_piece(recipe, count) or (is_joined and len({sources[each].shape for each in recipe.sources}) > 1):
            continue
        shape = [(roles, count // (roles * size), size)[axis] for axis in AXES[ours]]
        places = np.arange(count).reshape(shape).transpose(np.argsort(AXES[ours]))
        is_turned = bool(turning[0]) and not (recipe.part is not None and recipe.part[0] >= TURNED_ROLES)
        if is_turned:
            places[:TURNED_ROLES] = _turned(places[:TURNED_ROLES], *turning)
        rows = places.transpose(AXES[theirs]).reshape(-1)
        if (rows != np.arange(count)).any():
            words = [f"rows {ours}, then {theirs}"] if ours != theirs else []
            said = ", ".join(words + ([PAIRS[turning[0]]] if is_turned else []))
            found[name] = replace(recipe, rows=tuple(rows.tolist()), said_of_rows=said)
    return found


def _separate(
    recipes: Mapping[str, Recipe], sources: Mapping[str, Array], size: int, pairs: str, part: int
) -> dict[str, Recipe]:
    """Queries and keys that are tensors of their own on one side at least, by their names."""
    found = {}
    for name, recipe in recipes.items():
        count, (roles, is_cut, is_joined) = _count(recipe, sources), _roles(recipe, sources)
        held = [(recipe.sources, count)]
        if is_joined and len({sources[each].shape for each in recipe.sources}) > 1:
            held = [((each,), _count(replace(recipe, sources=(each,)), sources)) for each in recipe.sources]
        elif roles > 1 and not _is_piece(recipe, count):
            continue
        places = np.array(recipe.rows or range(count))
        ends = np.cumsum([0, *(rows for _, rows in held)]) if len(held) > 1 else np.array([0, len(places)])
        if is_cut or (ends % size).any() or size % 2:
            continue
        is_changed = False
        for at, (names, _) in enumerate(held):
            words = {SYNONYMS.get(word) for each in (*names, *([name] * (len(held) == 1))) for word in each.split(".")}
            if words & {"query", "key"}:
                block = places[ends[at] : ends[at + 1]].reshape(-1, size)
                places[ends[at] : ends[at + 1]] = _turned(block, pairs, part).reshape(-1)
                is_changed = True
        if is_changed:
            found[name] = replace(recipe, rows=tuple(places.tolist()), said_of_rows=PAIRS[pairs])
    return found


def _is_piece(recipe: Recipe, count: int) -> bool:
    """Whether only some of the rows of its sources are taken."""
    return bool(recipe.rows) and len(recipe.rows) != count


def _turned(places: Array, pairs: str, part: int) -> Array:
    """The elements of each head, along the last axis: of its first part, those that are turned together elsewhere."""
    if not pairs or part % 2:
        return places
    grid = (2, part // 2) if pairs == "apart" else (part // 2, 2)
    order = [*np.arange(part).reshape(grid).T.reshape(-1), *range(part, places.shape[-1])]
    return places[..., order]


def _count(recipe: Recipe, sources: Mapping[str, Array]) -> int:
    """Rows of the joined sources."""
    held = [sources[each] for each in recipe.sources]
    return sum((each.shape[-1] if recipe.is_turned else each.shape[0]) for each in held if each.ndim)


def _roles(recipe: Recipe, sources: Mapping[str, Array]) -> tuple[int, bool, bool]:
    """How many roles the joined sources hold, as far as it shows; whether they are cut after that, whether joined."""
    if recipe.part is not None:
        return recipe.part[1], True, False
    if len(recipe.sources) > 1 and not recipe.is_summed:
        return len(recipe.sources), False, True
    if len(recipe.sources) != 1 or recipe.order:
        return 1, False, False
    stem = recipe.sources[0].rpartition(".")[0]
    count = _count(recipe, sources)
    for name, value in sources.items():
        # A bias has as many roles as the matrix beside it.
        if name.rpartition(".")[0] == stem and value.ndim == 2 and count in value.shape:
            return max(value.shape) // min(value.shape) if max(value.shape) % min(value.shape) == 0 else 1, False, False
    return 1, False, False
