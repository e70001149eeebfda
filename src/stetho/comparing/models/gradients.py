"""Gradients of two models whose outputs agree: of weights and inputs, and the layer where they part."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.trace import Array, Site, Trace
from stetho.comparing.models.values import is_close, laid_out_like
from stetho.comparing.porting.by_value import is_telling
from stetho.comparing.porting.recipe import Recipe

SLACK = 100
"""Gradients are sums of many terms: they may be so many times as far apart as values."""


@dataclass(frozen=True)
class GradientCheck:
    """How many gradients were compared, and the first that differ: names of weights, then the place in the models."""

    compared: int
    weights: tuple[str, ...] = ()
    place: tuple[Site, Site] | None = None

    @property
    def is_equal(self) -> bool:
        """Whether all gradients that were compared agree."""
        return not self.weights and self.place is None


def check_gradients(one: Trace, other: Trace, recipes: Mapping[str, Recipe], same: Agreements) -> GradientCheck:
    """Compare gradients of all weights that are known to be the same, and of the inputs."""
    tolerance = same.tolerance * SLACK
    # Some gradients are zero but for rounding, as that of the bias of keys: what is small beside all others is nothing.
    floor = tolerance * max(
        [float(np.abs(each).max(initial=0.0)) for each in one.weight_gradients.values()], default=0.0
    )
    pairs = [*_of_weights(one, other, recipes), *_of_inputs(one, other)]
    unequal = [name for name, mine, theirs in pairs if not is_close(mine, theirs, tolerance, floor)]
    compared = len(pairs)
    if not unequal:
        return GradientCheck(compared)
    return GradientCheck(compared, tuple(unequal), _place(one, other, same, tolerance, floor))


def _of_weights(one: Trace, other: Trace, recipes: Mapping[str, Recipe]) -> Iterator[tuple[str, Array, Array]]:
    """Gradients of weights that belong together; what one model shares and the other holds twice is added up."""
    together: dict[Recipe, list[str]] = {}
    for name, recipe in recipes.items():
        known = all(source in one.weight_gradients for source in recipe.sources)
        if recipe.is_rearranged and known and _is_certain(name, recipe, other):
            together.setdefault(replace(recipe, shape=()), []).append(name)
    taken = {source for recipe in recipes.values() for source in recipe.sources}
    ours = {name: _with_twins(name, one, taken) for name in one.weight_gradients}
    for names in together.values():
        recipe = recipes[names[0]]
        theirs = [
            other.weight_gradients[name].reshape(recipe.shape) for name in names if name in other.weight_gradients
        ]
        if theirs:
            yield names[0], recipe.made(ours), np.sum(theirs, axis=0)


def _is_certain(name: str, recipe: Recipe, other: Trace) -> bool:
    """Whether the values of a weight tell its partner: ones and zeros are everywhere, and only a name tells them."""
    return is_telling(other.weights[name]) or recipe.sources == (name,)


def _with_twins(name: str, trace: Trace, taken: set[str]) -> Array:
    """The gradient of a weight, together with those of weights that hold the same values and have no partner."""
    value = trace.weights[name]
    twins = [
        each
        for each in trace.weight_gradients
        if each not in taken and is_telling(value) and np.array_equal(trace.weights[each], value)
    ]
    return np.asarray(np.sum([trace.weight_gradients[each] for each in dict.fromkeys((name, *twins))], axis=0))


def _of_inputs(one: Trace, other: Trace) -> Iterator[tuple[str, Array, Array]]:
    for mine, theirs in zip(one.input_gradients, other.input_gradients, strict=False):
        if mine.shape == theirs.shape:
            yield "input", mine, theirs


def _place(one: Trace, other: Trace, same: Agreements, tolerance: float, floor: float) -> tuple[Site, Site] | None:
    """The last place, in the order of the forward pass, whose gradient differs: the backward pass comes there first."""
    for number in sorted(same.of_other, reverse=True):
        mine, theirs = one.sites[same.of_other[number].one], other.sites[number]
        if mine.gradient is None and theirs.gradient is None:
            continue
        if (mine.gradient is None) != (theirs.gradient is None):
            if theirs.is_data and mine.is_data and mine.operands and theirs.operands:
                return mine, theirs
            continue
        turned = laid_out_like(mine.gradient, theirs.gradient)  # type: ignore[arg-type]
        if turned is not None and not is_close(mine.gradient, turned, tolerance, floor):  # type: ignore[arg-type]
            return mine, theirs
    return None
