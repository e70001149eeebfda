"""Targets that stand in their own input."""

import pytest
import torch

from stetho.capture.torch.feed.copied import MOST_ROWS, Copied


def looked_at(inputs, targets):
    copied = Copied()
    for x, y in zip(inputs.split(50), targets.split(50), strict=True):
        copied.add(x, y)
    return copied.result()


def test_finds_the_place_that_holds_the_target_in_every_sample():
    windows = torch.randn(200, 12, 2)
    found = looked_at(windows, windows[:, -1, 1:])
    assert (found["samples"], found["place"], found["shape"]) == (200, [11, 1], [12, 2])
    table = torch.randn(200, 5)
    assert looked_at(table, table[:, 3])["place"] == [3]


def test_one_sample_that_differs_is_enough_to_say_nothing():
    table = torch.randn(200, 5)
    targets = table[:, 3].clone()
    targets[120] += 1e-3
    assert looked_at(table, targets) is None


def test_bits_several_targets_and_the_only_input_say_nothing():
    bits = torch.randint(0, 2, (200, 5)).float()
    assert looked_at(bits, bits[:, 0]) is None
    points = torch.randn(200, 2)
    assert looked_at(points, points) is None, "an autoencoder is meant to give back its input"
    assert looked_at(points[:, :1], points[:, 0]) is None


def test_another_shape_of_the_inputs_says_nothing():
    copied = Copied()
    for width in (4, 5):
        x = torch.randn(50, width)
        copied.add(x, x[:, 0])
    assert copied.result() is None


def test_of_a_huge_batch_the_first_samples_are_looked_at():
    table = torch.randn(1000, 5)
    copied = Copied()
    copied.add(table, table[:, 3])
    assert copied.result()["samples"] == MOST_ROWS


def test_the_largest_correlation_with_the_other_places_is_told():
    table = torch.randn(200, 5)
    table[:, 1] = 3 * table[:, 3] + 4 * torch.randn(200) + 7
    others = looked_at(table, table[:, 3])["others"]
    assert others == pytest.approx(torch.corrcoef(table.T)[3, [0, 1, 2, 4]].abs().max().item(), abs=1e-5)
    table[:, 1] = 2.0
    assert looked_at(table, table[:, 3])["others"] < 0.3
