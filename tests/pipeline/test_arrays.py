"""Tests of arrays: values of any make as numbers."""

import numpy as np
import torch
from PIL import Image

from stetho.pipeline.arrays import as_array, make_of


def test_reads_tensors_arrays_images_numbers_and_lists():
    assert as_array(torch.ones(2, 3)).shape == (2, 3)
    assert as_array(Image.new("RGB", (4, 5))).shape == (5, 4, 3)
    assert as_array(3).shape == ()
    assert as_array([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]


def test_complex_numbers_are_pairs():
    assert as_array(np.array([1 + 2j])).tolist() == [[1, 2]]


def test_what_has_no_numbers_is_none():
    for value in ("text", b"", None, [[1], [2, 3]], np.array(["a"]), np.array([object()]), object()):
        assert as_array(value) is None


def test_names_the_make():
    assert make_of(torch.ones(1, dtype=torch.float16)) == "float16"
    assert make_of(Image.new("L", (2, 2))) == "PIL L"
    assert make_of([1, 2]) == "list of int64"
    assert make_of(object()) == "object"
