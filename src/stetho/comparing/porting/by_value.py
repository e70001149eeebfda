"""Weights that two models have in common already: tensors that hold the same values, whole or in parts."""

from collections.abc import Iterator, Mapping
from itertools import chain, permutations

import numpy as np

from stetho.comparing.models.trace import Array
from stetho.comparing.porting.cells import cell_recipes
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.row_pool import RowPool

PARTS = (2, 3, 4)
NEAR = 1e-6


def common_weights(ours: Mapping[str, Array], theirs: Mapping[str, Array]) -> dict[str, Recipe]:
    """For each tensor of the second model, how it is made from those of the first, where its values say so.

    >>> a = np.arange(12.0).reshape(6, 2)
    >>> str(common_weights({"w": a}, {"q": a[:2], "v": a[4:].T})["v"])
    'w, part 3 of 3, transposed'
    """
    by_size: dict[int, list[str]] = {}
    for name, value in ours.items():
        by_size.setdefault(value.size, []).append(name)
    found, pool = {}, RowPool(ours)
    for name, value in theirs.items():
        if value.dtype.kind != "f" or not value.size:
            continue
        candidates = chain(_recipes(name, value, ours, by_size), cell_recipes(value, ours), pool.recipes(value))
        recipe = next((each for each in candidates if _is_same(each, ours, value)), None)
        if recipe is not None:
            found[name] = recipe
    return found


def share_in_common(common: Mapping[str, Recipe], theirs: Mapping[str, Array]) -> float:
    """The share of tensors with values of their own that are common; ones and zeros are everywhere, and not counted."""
    telling = [name for name, value in theirs.items() if is_telling(value)]
    return sum(name in common for name in telling) / len(telling) if telling else 1.0


def is_telling(value: Array) -> bool:
    """Whether a tensor was trained or drawn, and does not hold one number alone."""
    return value.dtype.kind == "f" and value.size > 1 and bool(np.ptp(value) > 0)


def _recipes(name: str, value: Array, ours: Mapping[str, Array], by_size: Mapping[int, list[str]]) -> Iterator[Recipe]:
    same = sorted(
        by_size.get(value.size, []), key=lambda each: (each != name, each.rpartition(".")[2] != name.rpartition(".")[2])
    )
    for source in same:
        yield Recipe((source,), value.shape)
        if ours[source].ndim == 2:
            yield Recipe((source,), value.shape, is_turned=True)
    for count in PARTS:
        for source in by_size.get(value.size * count, []):
            whole = ours[source]
            for turned in (False, True) if whole.ndim == 2 else (False,):
                if (whole.T if turned else whole).shape[0] % count == 0:
                    for place in range(count):
                        for back in (False, True) if value.ndim == 2 else (False,):
                            yield Recipe((source,), value.shape, turned, part=(place, count), is_turned_back=back)
    if value.size % 2 == 0 and value.ndim:
        yield from _joined(value, ours, by_size)
    if value.ndim == 1:
        for place, one in enumerate(same):
            for other in same[place + 1 :]:
                if ours[one].shape == ours[other].shape == value.shape:
                    yield Recipe((one, other), value.shape, is_summed=True)

    for source in same:
        for count in PARTS[1:]:
            if ours[source].ndim and ours[source].shape == value.shape and value.shape[0] % count == 0:
                yield from (Recipe((source,), value.shape, order=order) for order in permutations(range(count)))


def _joined(value: Array, ours: Mapping[str, Array], by_size: Mapping[int, list[str]]) -> Iterator[Recipe]:
    """Parts of the tensor that are whole tensors in the other model."""
    for back in (False, True) if value.ndim == 2 else (False,):
        rows = value.T if back else value
        for count in PARTS:
            if rows.shape[0] % count or rows.size % count:
                continue
            for turned in (False, True) if value.ndim == 2 else (False,):
                sources = [_holder(part.T if turned else part, ours, by_size) for part in np.split(rows, count)]
                if all(sources):
                    names = tuple(each for each in sources if each)
                    yield Recipe(names, value.shape, turned, is_turned_back=back)


def _holder(part: Array, ours: Mapping[str, Array], by_size: Mapping[int, list[str]]) -> str | None:
    return next(
        (name for name in by_size.get(part.size, []) if ours[name].shape == part.shape and _near(ours[name], part)),
        None,
    )


def _is_same(recipe: Recipe, ours: Mapping[str, Array], value: Array) -> bool:
    return _near(recipe.made(ours), value)


def _near(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=NEAR, atol=NEAR * float(np.abs(one).mean())))
