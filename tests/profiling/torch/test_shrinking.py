"""Batches in half of their bytes, and back."""

import pickle
from collections import namedtuple

import torch
from torch.utils.data import default_collate

from stetho.profiling.torch.shrinking import WORTHWHILE, Shrinking, is_worthwhile, restored

Pair = namedtuple("Pair", "x y")


def test_numbers_travel_small_and_come_back_as_they_were() -> None:
    samples = [{"x": torch.full((2,), 0.5), "y": 1, "name": "a"}, {"x": torch.full((2,), 2.0), "y": 2, "name": "b"}]
    small = pickle.loads(pickle.dumps(Shrinking(default_collate)))(samples)
    assert (small["x"].dtype, small["y"].dtype, small["name"]) == (torch.float16, torch.int64, ["a", "b"])
    again = restored(small)
    assert torch.equal(again["x"], default_collate(samples)["x"])


def test_named_tuples_stay_what_they_are() -> None:
    batch = restored(Pair(torch.zeros(1, dtype=torch.float16), (torch.zeros(1),)))
    assert isinstance(batch, Pair)
    assert batch.x.dtype == torch.float32


def test_only_large_batches_of_long_numbers_are_worth_it() -> None:
    large = torch.zeros(WORTHWHILE // 4)
    assert is_worthwhile([large])
    assert not is_worthwhile([large[1:]])
    assert not is_worthwhile([large, torch.zeros(1, dtype=torch.float16)])
    assert not is_worthwhile(None)
