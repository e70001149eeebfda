"""Tests of padding: what a batch holds beyond its samples."""

import numpy as np
import pytest
import torch

from stetho.pipeline.padding import Padding


def test_is_counted_over_all_batches_with_its_filler():
    padding = Padding()
    padding.add([[("x", [1, 2])], [("x", [3])]], [("x", torch.tensor([[1, 2], [3, 9]]))])
    padding.add([[("x", [1, 2])], [("x", [3, 4])]], [("x", torch.tensor([[1, 2], [3, 4]]))])
    assert padding.shares == {"x": pytest.approx(1 / 8)}
    assert padding.fillers == {"x": 9}


def test_padding_at_the_beginning_is_known_too():
    padding = Padding()
    padding.add([[("x", [1, 2])], [("x", [3])]], [("x", torch.tensor([[1, 2], [7, 3]]))])
    assert padding.fillers == {"x": 7}


def test_samples_that_bring_their_padding_along_are_seen_by_mask_or_by_their_ends():
    tokens = np.array([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [9, 8, 7, 0]])
    rows = [[("ids", row), ("attention_mask", (row != 0).astype(int))] for row in tokens]
    padding = Padding()
    padding.add(rows, [("ids", tokens), ("attention_mask", (tokens != 0).astype(int))])
    assert padding.shares == {"ids": pytest.approx(6 / 16), "attention_mask": pytest.approx(6 / 16)}


def test_ends_that_repeat_another_value_in_each_batch_are_no_padding():
    padding = Padding()
    for filler in (0, 9):
        tokens = np.array([[5, 6, 7, 8], [5, 6, filler, filler], [5, 6, 7, filler], [4, 8, 7, filler]])
        padding.add([[("ids", row)] for row in tokens], [("ids", tokens)])
    assert padding.shares == {}
    assert padding.fillers == {}


def test_the_filler_of_samples_that_bring_it_is_that_of_their_ends():
    tokens = np.array([[5, 6, 7, 8], [5, 6, 3, 3], [5, 6, 7, 3], [4, 8, 7, 3]])
    padding = Padding()
    padding.add([[("ids", row)] for row in tokens], [("ids", tokens)])
    assert padding.fillers == {"ids": 3.0}


def test_batches_without_padding_have_none():
    padding = Padding()
    padding.add([[("x", [1, 2])]], [("x", np.array([[1, 2]])), ("name", "text"), ("flat", np.zeros(3))])
    assert padding.shares == {}
