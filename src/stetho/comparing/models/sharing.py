"""Weights of one model that the other has twice, or not at all: equal now, and not after an update."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from stetho.comparing.models.trace import WEIGHT, Trace
from stetho.comparing.porting.by_value import is_telling
from stetho.comparing.porting.recipe import Recipe


def shared_by_one(one: Trace, other: Trace, recipes: Mapping[str, Recipe]) -> Iterator[str]:
    """A sentence for each such weight."""
    for name, names in _twice(other).items():
        sources = {recipes[each].sources for each in names if each in recipes}
        if len(sources) == 1 and all(each in recipes for each in names):
            yield _words("first", "second", next(iter(sources))[0], (name, *names[1:]))
    for names in _twice(one).values():
        users = [name for name, recipe in recipes.items() if set(recipe.sources) & set(names)]
        if len(users) == 1 and is_telling(other.weights[users[0]]):
            yield _words("second", "first", users[0], names)


def without_effect(unused: Sequence[str], one: Trace) -> Iterator[str]:
    """A sentence on weights that only the first model has and uses, and that change nothing as they are now."""
    used = {site.name for site in one.living if site.kind == WEIGHT} - one.buffers
    names = [name for name in unused if name in used and not is_telling(one.weights[name])]
    if names:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        values = "zeros" if not one.weights[names[0]].any() else "one number"
        yield f"only the first has `{names[0]}`{more}, which holds {values} now: an update will change that"


def laid_out_anew(recipes: Mapping[str, Recipe]) -> Iterator[str]:
    """A sentence where the models are equal only with gates, heads or turned pairs in another order in the second.

    Who carries the weights over as they are, by name and shape, gets another function.
    """
    names = [name for name, each in recipes.items() if each.order or _is_shuffled(each.rows)]
    if names:
        more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        words = f"`{names[0]}` = {recipes[names[0]]}{more}"
        yield f"the second needs weights in another order: {words}; carried over as they lie, they give other values"


def _is_shuffled(rows: Sequence[int]) -> bool:
    """Whether rows are taken in another order, and not merely some of them."""
    return any(after != before + 1 for before, after in pairwise(rows))


def _twice(trace: Trace) -> dict[str, tuple[str, ...]]:
    """Weights that hold the same values, by the name of the first of them."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in trace.weights.items():
        if is_telling(value):
            twin = next((each for each in found if np.array_equal(trace.weights[each], value)), name)
            found[twin] = (*found.get(twin, ()), name)
    return {name: names for name, names in found.items() if len(names) > 1}


def _words(who: str, else_: str, name: str, names: tuple[str, ...]) -> str:
    both = " and ".join(f"`{each}`" for each in names[:2])
    return (
        f"the {who} shares the weight `{name}`, the {else_} holds it twice, as {both}: equal now, but an update changes"
        " them apart"
    )
