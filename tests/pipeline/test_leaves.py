"""Tests of leaves: samples of any make become named fields."""

from collections import UserDict, namedtuple
from dataclasses import dataclass

import numpy as np
import torch

from stetho.pipeline.leaves import leaves

Pair = namedtuple("Pair", "x y")


@dataclass
class Sample:
    image: np.ndarray
    label: int


class Batch:
    def __init__(self):
        self.src, self.tgt, self._cache = torch.ones(2), torch.zeros(2), "hidden"


def names(sample):
    return [name for name, _ in leaves(sample)]


def test_dicts_and_what_is_like_them_are_opened():
    assert names({"a": 1, "b": {"c": "x", "d": None}}) == ["a", "b.c", "b.d"]
    assert names(UserDict(a=1)) == ["a"]


def test_named_tuples_dataclasses_and_objects_have_the_names_of_their_fields():
    assert names(Pair(1, 2)) == ["x", "y"]
    assert names(Sample(np.zeros(2), 1)) == ["image", "label"]
    assert names(Batch()) == ["src", "tgt"]


def test_a_list_of_numbers_is_one_value_and_a_tuple_of_two_is_a_pair():
    assert names([1, 2, 3]) == ["sample"]
    assert names((1.5, 2)) == ["0", "1"]
    assert names({"box": (1, 2, 3, 4), "tokens": [5, 6]}) == ["box", "tokens"]


def test_the_items_of_a_long_list_share_a_name():
    assert set(names({"boxes": [{"x": 1, "label": "a"} for _ in range(30)]})) == {"boxes.*.x", "boxes.*.label"}
    assert set(names([np.zeros(1)] * 40)) == {"*"}


def test_what_a_batch_holds_for_each_sample_shares_a_name():
    boxes = tuple({"box": np.zeros(4)} for _ in range(3))
    found = [name for name, _ in leaves((np.zeros((3, 2)), boxes), size=3)]
    assert set(found) == {"0", "1.*.box"}
    assert [name for name, _ in leaves((np.zeros((2, 2)), np.zeros(2)), size=2)] == ["0", "1"]


def test_arrays_tensors_and_texts_are_not_opened():
    for value in (np.zeros((2, 2)), torch.zeros(2), "text", b"bytes", 3, None, np.float32(1)):
        assert names(value) == ["sample"]


def test_an_empty_list_and_a_very_deep_one_are_leaves():
    assert names({"empty": []}) == ["empty"]
    deep = {"a": 1}
    for _ in range(20):
        deep = {"a": deep}
    assert len(names(deep)) == 1
