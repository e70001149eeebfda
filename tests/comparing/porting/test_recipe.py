"""How a tensor is made from others."""

import numpy as np
import pytest

from stetho.comparing.porting.recipe import Recipe

W = np.arange(12.0).reshape(4, 3)
SOURCES = {"w": W, "v": W + 100, "b": np.arange(4.0)}


@pytest.mark.parametrize(
    ("recipe", "expected", "words"),
    [
        (Recipe(("w",), (3, 4), is_turned=True), W.T, "w, transposed"),
        (Recipe(("w",), (2, 3), part=(1, 2)), W[2:], "w, part 2 of 2"),
        (Recipe(("w", "v"), (8, 3)), np.concatenate([W, W + 100]), "w | v"),
        (Recipe(("b", "b"), (4,), is_summed=True), 2 * SOURCES["b"], "b + b"),
        (Recipe(("w",), (4, 3), order=(1, 0)), W[[2, 3, 0, 1]], "w, blocks 2 1"),
        (Recipe((), (2,)), np.zeros(2), "zeros"),
    ],
)
def test_a_recipe_makes_what_it_says(recipe: Recipe, expected: np.ndarray, words: str) -> None:
    assert np.array_equal(recipe.made(SOURCES), expected)
    assert str(recipe) == words


def test_a_single_number_stays_one() -> None:
    made = Recipe(("scale",), ()).made({"scale": np.array(2.5)})
    assert (made.shape, float(made)) == ((), 2.5)
