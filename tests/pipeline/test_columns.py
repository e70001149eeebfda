"""Tests of columns: fields filled sample by sample."""

import numpy as np
import torch

from stetho.pipeline.columns import Columns


def fields(*samples):
    columns = Columns()
    for key, sample in enumerate(samples):
        columns.add(key, sample)
    return {field.name: field for field in columns.fields()}


def test_tells_how_shapes_vary():
    assert fields({"x": torch.ones(3, 8)}, {"x": torch.ones(3, 5)})["x"].shape == "[3, 5…8]"
    assert fields({"x": torch.ones(3)}, {"x": torch.ones(1, 3)})["x"].shape == "[3] | [1, 3]"
    assert fields("ab", "abcd")["sample"].shape == "2…4 letters"


def test_tells_what_is_missing_and_of_several_makes():
    found = fields({"x": 1, "y": None}, {"x": 1.5})
    assert (found["y"].missing, found["x"].missing, found["x"].make) == (2, 0, "int | float")


def test_a_few_whole_numbers_or_words_are_labels():
    found = fields(*({"a": k % 3, "b": "cat" if k % 2 else "dog", "c": k, "d": [k, 1], "e": k / 7} for k in range(12)))
    assert [name for name, field in found.items() if field.is_label] == ["a", "b"]
    assert dict(found["b"].counts) == {"dog": 6, "cat": 6}


def test_constant_features_are_counted_among_all():
    found = fields(*(np.array([k, 5.0, 5.0]) for k in range(4)))["sample"]
    assert (found.constant, found.size) == (2, 3)


def test_unreadable_values_are_named_by_their_class():
    found = fields(object())["sample"]
    assert (found.make, found.shape, found.mean) == ("object", "", None)
