"""Tests of which samples keep a batch from being put together."""

import numpy as np

from stetho.pipeline.odd_ones import odd_ones

IMAGE, SMALL = np.zeros((3, 16, 16), "float32"), np.zeros((3, 8, 16), "float32")


def test_the_sample_of_another_shape_is_named() -> None:
    samples = [[("0", image), ("1", 3)] for image in (IMAGE, SMALL, IMAGE)]
    assert odd_ones([16, 17, 18], samples) == (
        "sample 17 has `0` as float32 [3, 8, 16], the others as float32 [3, 16, 16]"
    )


def test_a_sample_of_another_type_or_without_a_value_is_named() -> None:
    samples = [[("0", each)] for each in (1, 2, None, 4, "5")]
    assert odd_ones("abcde", samples) == "sample c has `0` as None, the others as int; so do not fit e"


def test_a_sample_with_other_fields_is_named() -> None:
    samples = [[("x", 1), ("y", 2)], [("x", 1)], [("x", 1), ("y", 3)]]
    assert odd_ones([0, 1, 2], samples) == "sample 1 has the fields `x`, the others `x`, `y`"


def test_where_most_differ_nobody_is_odd() -> None:
    assert odd_ones([0, 1], [[("x", IMAGE)], [("x", SMALL)]]) == ""
    assert odd_ones([0, 1], [[("x", IMAGE)], [("x", IMAGE)]]) == ""
    assert odd_ones([], []) == ""
