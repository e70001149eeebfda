"""Gradients added up over micro-batches."""

import torch
from torch import nn

from stetho.equivalence.torch.accumulate import accumulate
from tests.equivalence.setups import Setup


def test_equal_micro_batches_give_the_same() -> None:
    assert accumulate(Setup).is_equal


def test_unequal_micro_batches_need_weights() -> None:
    found = accumulate(lambda: Setup(size=16))
    assert found.ways[1] == "micro-batches of 6, 5, 5 samples"
    assert found.first_difference is not None
    assert found.first_difference.stage in ("loss", "grad")
    assert "multiply each loss by its share of the samples" in found.reasons[0]


def test_batch_norm_is_named() -> None:
    found = accumulate(lambda: Setup(norm=nn.BatchNorm1d))
    assert found.first_difference is not None
    assert (found.first_difference.name, found.first_difference.kind) == ("1", "BatchNorm1d")


def test_a_sum_must_not_be_divided() -> None:
    found = accumulate(lambda: Setup(reduction="sum"))
    assert found.reasons == ["the loss is a sum over samples: it must not be divided by the number of micro-batches"]


def test_a_mean_over_something_uneven_is_told() -> None:
    class Padded(Setup):
        def loss(self, model, batch):
            labels = batch[1].masked_fill(torch.arange(len(batch[1])) < len(batch[1]) // 4, -100)
            labels[batch[0][:, 0] > 0.5] = -100
            return nn.functional.cross_entropy(model(batch[0]), labels)

    assert "is a mean over something that is not spread evenly" in accumulate(Padded).reasons[0]


def test_the_programs_own_way_to_accumulate_is_tested() -> None:
    class Own(Setup):
        def accumulate(self, model, parts):
            for part in parts:
                (self.loss(model, part) * len(part[1]) / sum(len(each[1]) for each in parts)).backward()

    assert [each.stage for each in accumulate(lambda: Own(size=16)).differences] in ([], ["loss"])


def test_dropout_is_turned_off_and_that_is_said() -> None:
    found = accumulate(lambda: Setup(drop=0.5))
    assert found.is_equal
    assert "dropout was turned off" in found.notes[0]
