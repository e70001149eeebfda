"""Gradients of two models whose outputs agree: of weights and inputs, and the layer where they part."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.by_use import partners_by_use
from stetho.comparing.models.trace import CONSTANT, INPUT, OPERATION, WEIGHT, Array, Site, Trace
from stetho.comparing.models.values import is_close, laid_out_like
from stetho.comparing.porting.by_value import is_telling
from stetho.comparing.porting.recipe import Recipe

SLACK = 100
"""Gradients are sums of many terms: they may be so many times as far apart as values."""
ALL = (INPUT, CONSTANT, OPERATION)
PRODUCTS = {"linear", "conv1d", "conv2d", "conv3d"}
"""The gradients of their weights hold what comes back to them, which is all that the gradient of their input needs."""


@dataclass(frozen=True)
class GradientCheck:
    """How many gradients were compared, and the first that differ: names of weights, then the place in the models."""

    compared: int
    weights: tuple[str, ...] = ()
    place: tuple[Site, Site] | None = None
    apart: tuple[Array, Array] | None = None
    """The gradients that differ there, laid out alike."""

    @property
    def is_equal(self) -> bool:
        """Whether all gradients that were compared agree."""
        return not self.weights and self.place is None


def wanted_kinds(one: Trace, other: Trace, recipes: Mapping[str, Recipe]) -> tuple[str, ...]:
    """The sites whose gradients have to be compared besides those of the weights: the inputs, or none.

    Who trains a model takes none of its inputs: where products with compared weights are all that inputs go into, what
    would come back to them is compared already.
    """
    telling = {name: each for name, each in recipes.items() if each.is_rearranged and is_telling(other.weights[name])}
    sources = {source for recipe in telling.values() for source in recipe.sources}
    hidden = _goes_into_products(one, sources) and _goes_into_products(other, {*telling})
    return () if hidden else (INPUT,)


def _goes_into_products(trace: Trace, weights: set[str]) -> bool:
    takers = [
        trace.sites[each]
        for site in trace.sites
        if site.kind == INPUT and site.is_float
        for each in trace.consumers.get(site.number, [])
    ]
    return all(
        taker.name in PRODUCTS
        and any(each.kind == WEIGHT and each.name in weights for each in map(trace.sites.__getitem__, taker.operands))
        for taker in takers
    )


def check_gradients(one: Trace, other: Trace, recipes: Mapping[str, Recipe], same: Agreements) -> GradientCheck:
    """Compare gradients of all weights that are known to be the same, and of the inputs."""
    tolerance = same.tolerance * SLACK
    # Some gradients are zero but for rounding, as that of the bias of keys: what is small beside all others is nothing.
    floor = tolerance * max(
        [float(np.abs(each).max(initial=0.0)) for each in one.weight_gradients.values()], default=0.0
    )
    recipes = _certain(recipes, one, other, partners_by_use(one, other, same))
    pairs = [*_of_weights(one, other, recipes), *_of_inputs(one, other)]
    unequal = [pair for pair in pairs if not is_close(*pair[1:], tolerance, floor)]
    if not unequal:
        return GradientCheck(len(pairs))
    names = tuple(name for name, _, _ in unequal)
    place = _place(one, other, same, tolerance, floor)
    apart = None if place is None else _laid_out(*place)
    if place is not None and place[0].gradient is not None and place[1].gradient is not None:
        place = _through(one, other, *place)
    elif place is None and names[0] in recipes:
        # What flows back through the layers is the same: a weight is cut off where it is used.
        place, apart = _use(one, other, names[0], recipes[names[0]]), unequal[0][1:]
    return GradientCheck(len(pairs), names, place, apart)


def _of_weights(one: Trace, other: Trace, recipes: Mapping[str, Recipe]) -> Iterator[tuple[str, Array, Array]]:
    """Gradients of weights that belong together; what one model shares and the other holds twice is added up."""
    together: dict[Recipe, list[str]] = {}
    for name, recipe in recipes.items():
        if recipe.is_rearranged and all(source in one.weight_gradients for source in recipe.sources):
            together.setdefault(replace(recipe, shape=()), []).append(name)
    taken = {source for recipe in recipes.values() for source in recipe.sources}
    ours = {name: _with_twins(name, one, taken) for name in one.weight_gradients}
    for names in together.values():
        recipe = recipes[names[0]]
        theirs = [
            other.weight_gradients[name].reshape(recipe.shape) for name in names if name in other.weight_gradients
        ]
        if theirs:
            yield names[0], recipe.made(ours), np.asarray(np.sum(theirs, axis=0))


def _certain(recipes: Mapping[str, Recipe], one: Trace, other: Trace, by_use: Mapping[str, str]) -> dict[str, Recipe]:
    """Without those that values do not tell: ones and zeros are everywhere, and only their use or a name tells them."""
    found = {}
    for name, recipe in recipes.items():
        value, partner = other.weights[name], by_use.get(name)
        if is_telling(value):
            found[name] = recipe
        elif partner is not None and one.weights[partner].size == value.size:
            found[name] = Recipe((partner,), value.shape)
        elif recipe.sources == (name,) and name not in by_use.values():
            found[name] = recipe
    return found


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


def _laid_out(mine: Site, theirs: Site) -> tuple[Array, Array] | None:
    """Both gradients, laid out alike; where none comes, zeros."""
    ours = np.zeros(mine.value.shape) if mine.gradient is None else mine.gradient
    turned = laid_out_like(ours, np.zeros(theirs.value.shape) if theirs.gradient is None else theirs.gradient)
    return (ours, turned) if turned is not None else None


def _through(one: Trace, other: Trace, mine: Site, theirs: Site) -> tuple[Site, Site]:
    """The operation that gives back a wrong gradient of a right one: the only one that takes these values."""
    takers = [[t.sites[each] for each in t.consumers.get(at.number, [])] for t, at in ((one, mine), (other, theirs))]
    ours, yours = ([each for each in side if each.gradient is not None] for side in takers)
    return (ours[0], yours[0]) if len(ours) == len(yours) == 1 else (mine, theirs)


def _use(one: Trace, other: Trace, name: str, recipe: Recipe) -> tuple[Site, Site] | None:
    """The operations that take a weight and its source."""
    found = []
    for trace, wanted in ((one, recipe.sources[0]), (other, name)):
        site = next((each for each in trace.sites if each.kind == WEIGHT and each.name == wanted), None)
        takers = trace.consumers.get(site.number, []) if site is not None else []
        found += [trace.sites[each] for each in takers[:1]]
    return (found[0], found[1]) if len(found) == len((one, other)) else None
