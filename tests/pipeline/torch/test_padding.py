"""Tests of padding that samples bring along."""

import numpy as np

from stetho.pipeline.torch.padding import trailing_padding


def test_rows_without_a_common_end_have_none():
    assert trailing_padding(np.arange(16).reshape(4, 4)) == (0, 0.0)


def test_small_whole_numbers_are_read_too():
    rows = np.array([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [9, 8, 7, 0]], np.uint8)
    assert trailing_padding(rows)[0] == 6
