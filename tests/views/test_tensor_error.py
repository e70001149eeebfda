"""Errors in lines."""

import numpy as np

from stetho.comparing.tensor_error import error_between
from stetho.views.tensor_error import error_lines


def test_sizes_and_the_worst_element_are_told() -> None:
    error = error_between(np.float32([1, 2]), np.float32([1, 3]))
    assert error is not None
    lines = ["".join(piece for piece, _ in line).strip() for line in error_lines(error, 8, 100)]
    assert lines[0].startswith("error max abs 1 · max rel 0.3333")
    assert lines[1] == "worst at [1]: 2 and 3"


def test_a_cosine_that_is_not_defined_is_left_out() -> None:
    error = error_between(np.float32([0, 0]), np.float32([1, 3]))
    assert error is not None
    assert "cosine" not in "".join(piece for line in error_lines(error, 8, 100) for piece, _ in line)
