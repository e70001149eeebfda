"""Weights that two models have in common."""

import numpy as np
import pytest

from stetho.comparing.porting.by_value import common_weights, share_in_common

W = np.random.default_rng(0).normal(size=(6, 4))
B = np.random.default_rng(1).normal(size=6)


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        ({"w": W}, W, "w"),
        ({"w": W}, W.T, "w, transposed"),
        ({"w": W}, W[2:4], "w, part 2 of 3"),
        ({"w": W.T}, W[4:], "w, part 3 of 3, transposed"),
        ({"q": W[:3], "k": W[3:]}, W, "q | k"),
        ({"ih": B, "hh": B[::-1]}, B + B[::-1], "ih + hh"),
        ({"w": W}, W[[2, 3, 0, 1, 4, 5]], "w, blocks 2 1 3"),
        ({"w": W}, W[:, :, None, None], "w"),
        ({"w": W}, W[[5, 0, 3]], "w, rows in another order"),
    ],
)
def test_layouts_are_found_by_values(ours: dict[str, np.ndarray], theirs: np.ndarray, words: str) -> None:
    assert str(common_weights(ours, {"x": theirs})["x"]) == words


def test_the_same_name_comes_first_where_values_are_the_same() -> None:
    ours = {"norm1.weight": np.ones(4), "norm2.weight": np.ones(4)}
    assert str(common_weights(ours, {"norm2.weight": np.ones(4)})["norm2.weight"]) == "norm2.weight"


def test_ones_and_zeros_do_not_count_as_common() -> None:
    theirs = {"w": W + 1, "ones": np.ones(4)}
    assert share_in_common(common_weights({"w": W, "ones": np.ones(4)}, theirs), theirs) == 0.0
    assert share_in_common({}, {"ones": np.ones(4)}) == 1.0
