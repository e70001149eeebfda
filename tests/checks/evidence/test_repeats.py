"""Samples that are equal by chance."""

import numpy as np

from stetho.checks.evidence.repeats import comes_again_by_chance, repeats
from stetho.testing import make_window


def rows(samples, **columns):
    return make_window(steps=60, batch={"samples": [np.asarray(one) for one in samples], **columns}).batches("train")


def test_a_sample_that_is_in_a_batch_twice_is_counted():
    assert repeats(rows([[1, 1, 2, 3]] * 60)) == 0.25
    assert repeats(rows([[1, 2, 3, 4]] * 60)) == 0.0


def test_two_fields_of_three_values_are_soon_drawn_again():
    few = {"dtype": "int64", "min": 0.0, "max": 2.0, "shape": [np.array([4, 2])] * 60}
    assert comes_again_by_chance(rows([[1, 2, 3, 4]] * 60, **few), 0.5)


def test_real_numbers_are_not_equal_by_chance():
    assert not comes_again_by_chance(rows([[1, 2, 3, 4]] * 60, dtype="float32"), 0.5)
