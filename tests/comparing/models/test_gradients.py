"""Gradients of models whose outputs agree."""

import numpy as np

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.gradients import check_gradients, wanted_kinds
from stetho.comparing.models.trace import INPUT, OPERATION, WEIGHT, Site, Trace
from stetho.comparing.porting.recipe import Recipe

DRAWN = np.random.default_rng(0).normal(size=(4, 2))


def trace(**gradients: np.ndarray) -> Trace:
    weights = {name: DRAWN[: len(each)] for name, each in gradients.items()}
    return Trace("net", [], [], [], weights, gradients)


def check(one: Trace, other: Trace, recipes: dict[str, Recipe]) -> tuple[int, tuple[str, ...]]:
    found = check_gradients(one, other, recipes, Agreements(one, other, 1e-9))
    return found.compared, found.weights


def test_gradients_go_the_way_of_their_weights() -> None:
    recipes = {"q": Recipe(("w",), (2, 2), part=(0, 2)), "k": Recipe(("w",), (2, 2), part=(1, 2))}
    assert check(trace(w=DRAWN), trace(q=DRAWN[:2], k=DRAWN[2:]), recipes) == (2, ())
    assert check(trace(w=DRAWN), trace(q=DRAWN[:2], k=DRAWN[2:] + 1), recipes) == (2, ("k",))


def test_shared_weights_have_the_sum_of_their_gradients() -> None:
    recipes = {"a": Recipe(("w",), (4, 2)), "b": Recipe(("w",), (4, 2))}
    assert check(trace(w=3 * DRAWN), trace(a=DRAWN, b=2 * DRAWN), recipes) == (1, ())
    assert check(trace(a=DRAWN, b=2 * DRAWN), trace(w=3 * DRAWN), {"w": Recipe(("a",), (4, 2))}) == (1, ())


def test_what_is_small_beside_all_others_is_nothing() -> None:
    recipes = {"a": Recipe(("a",), (4, 2)), "b": Recipe(("b",), (4, 2))}
    assert check(trace(a=DRAWN, b=1e-17 * DRAWN), trace(a=DRAWN, b=-1e-17 * DRAWN), recipes) == (2, ())


def test_weights_that_begin_as_ones_are_not_taken_for_each_other() -> None:
    ones, drawn = np.ones((4, 2)), np.random.default_rng(1).normal(size=(4, 2))
    one = Trace("net", [], [], [], {"a": ones, "b": ones}, {"a": DRAWN, "b": drawn})
    other = Trace("net", [], [], [], {"first": ones, "b": ones}, {"first": drawn, "b": drawn})
    recipes = {"first": Recipe(("a",), (4, 2)), "b": Recipe(("b",), (4, 2))}
    assert check(one, other, recipes) == (1, ())


def first_taken_by(operation: str, weight: str = "w") -> Trace:
    """A model whose input goes into one operation with a weight."""
    sites = [Site(0, INPUT, "x", "", DRAWN), Site(1, WEIGHT, weight, "", DRAWN)]
    sites += [Site(2, OPERATION, operation, "", DRAWN, (0, 1))]
    return Trace("net", sites, [], [2], {weight: DRAWN})


def test_inputs_are_asked_for_where_no_weight_tells_what_comes_back_to_them() -> None:
    known, plain = {"w": Recipe(("w",), (4, 2))}, first_taken_by("linear")
    assert wanted_kinds(plain, plain, known) == ()
    assert wanted_kinds(plain, first_taken_by("apply"), known) == (INPUT,)
    assert wanted_kinds(first_taken_by("mul"), plain, known) == (INPUT,)
    assert wanted_kinds(plain, plain, {}) == (INPUT,)
