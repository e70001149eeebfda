"""Batches in parts."""

import pytest
import torch

from stetho.equivalence.torch.parts import cut, size_of
from stetho.errors import UsageError


def test_every_tensor_of_a_batch_is_cut_and_the_rest_is_left() -> None:
    batch = {"x": torch.arange(5), "pair": (torch.arange(10).view(5, 2), "name"), "scale": torch.tensor(2.0)}
    first, second = cut(batch, 2)
    assert first["x"].tolist() == [0, 1, 2]
    assert second["pair"][0].tolist() == [[6, 7], [8, 9]]
    assert (second["pair"][1], second["scale"].item()) == ("name", 2.0)


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(UsageError, match="a batch of 2 samples cannot be cut in 3 parts"):
        cut(torch.zeros(2), 3)


def test_a_batch_without_samples_is_refused() -> None:
    with pytest.raises(UsageError, match="no tensor with samples"):
        size_of({"name": "x"})
