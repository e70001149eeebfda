"""Tests of moments: the numbers of all samples, taken in one pass, are those of all at once."""

import numpy as np
import pytest

from stetho.pipeline import moments as module
from stetho.pipeline.moments import Moments


def measured(arrays):
    moments = Moments()
    for key, array in enumerate(arrays):
        moments.add(key, array)
    moments.flush()
    return moments


def test_equals_what_numpy_says_of_all_at_once(monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 50)
    values = np.random.default_rng(0).normal(3, 2, (40, 7))
    moments = measured(list(values))
    assert moments.mean == pytest.approx(values.mean())
    assert moments.std == pytest.approx(values.std())
    assert (moments.low, moments.high) == (values.min(), values.max())


def test_samples_of_different_shapes_are_counted_together():
    moments = measured([np.zeros(3), np.ones((2, 2)), np.array(5.0)])
    assert (moments.elements, moments.zeros, moments.high) == (8, 3, 5.0)
    assert moments.constant is None


def test_names_the_samples_with_values_that_are_no_numbers_and_leaves_these_out():
    moments = measured([np.array([1.0, 2.0]), np.array([np.nan, 3.0]), np.array([np.inf, np.nan])])
    assert (moments.nan, moments.inf, moments.nonfinite_at) == (2, 1, [1, 2])
    assert moments.mean == 2.0


def test_finds_positions_that_never_change_and_blank_samples():
    arrays = [np.arange(20.0), np.full(20, 7.0)]
    moments = measured(arrays)
    assert moments.constant == 1  # the seventh is 7 in both
    assert (moments.blank, moments.blank_at) == (1, [1])


def test_counts_whole_numbers_and_gives_up_when_there_are_too_many(monkeypatch):
    moments = measured([np.array([3, 3, 255], np.uint8)])
    assert moments.counts == {3: 2, 255: 1}
    assert measured([np.array([True, False, True])]).counts == {True: 2, False: 1}
    monkeypatch.setattr(module, "MOST_VALUES", 5)
    assert measured([np.arange(10)]).counts is None


def test_a_loader_that_fills_the_same_memory_again_does_not_change_what_was_seen():
    memory, moments = np.zeros(2), Moments()
    for key in range(3):
        memory[:] = key
        moments.add(key, memory)
    moments.flush()
    assert (moments.low, moments.high) == (0.0, 2.0)


def test_empty_arrays_are_no_error():
    moments = measured([np.zeros((0, 4)), np.zeros((0, 4))])
    assert moments.elements == 0
    assert np.isnan(moments.std)
