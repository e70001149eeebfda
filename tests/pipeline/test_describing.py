"""Tests of descriptions: any value in a few words, without running code of the program."""

import numpy as np
import torch

from stetho.pipeline.describing import described, has_nan


class Loud:
    def __repr__(self):
        raise AssertionError("no code of the program is run")


def test_says_shape_type_and_range():
    assert described(torch.arange(12.0).view(3, 4)) == "float32 [3, 4] 0…11"
    assert described({"x": torch.ones(2, 9), "y": 3}) == "{x: float32 [2, 9] 1…1, y: 3}"
    assert described(np.array([1, 2])) == "int64 [2] 1, 2"


def test_says_how_many_values_are_not_finite():
    assert described(np.array([[1.0] * 9, [np.nan] * 9])) == "float64 [2, 9] 1…1 9 not finite"
    assert has_nan({"a": (torch.tensor([float("nan"), 1.0]),)})
    assert not has_nan(torch.tensor([float("inf")]))


def test_long_texts_are_cut_and_objects_are_only_named():
    assert described("a" * 100).endswith("100 letters")
    assert described((Loud(), [1])) == "(Loud, list of int64 [1] 1)"
