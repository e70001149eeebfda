"""Rows of weights are found among those of others."""

import numpy as np

from stetho.comparing.porting.row_pool import RowPool

W = np.random.default_rng(0).normal(size=(6, 4))


def test_rows_of_several_tensors_are_found_in_their_order() -> None:
    held = {"q": W[:3], "k": W[3:]}
    (recipe,) = RowPool(held).recipes(W[[0, 3, 1, 4]])
    assert recipe.sources == ("q", "k")
    assert np.array_equal(recipe.made(held), W[[0, 3, 1, 4]])
    assert str(recipe) == "q | k, rows in another order"


def test_a_row_that_is_nowhere_or_taken_twice_is_no_recipe() -> None:
    pool = RowPool({"w": W})
    assert not [*pool.recipes(W[:2] + 1)]
    assert not [*pool.recipes(W[[1, 1]])]
    assert not [*pool.recipes(W[0, 0])]
