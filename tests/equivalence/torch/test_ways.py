"""A model trained in another way."""

import torch
from torch import Tensor, nn

from stetho.equivalence.torch.ways import in_way
from tests.equivalence.setups import Setup


def test_checkpointing_gives_the_same_also_with_dropout() -> None:
    assert in_way("checkpointing", lambda: Setup(drop=0.5), way="checkpointing").is_equal


def test_batch_norm_is_updated_twice_by_checkpointing() -> None:
    found = in_way("checkpointing", lambda: Setup(norm=nn.BatchNorm1d), way="checkpointing")
    assert found.first_difference is not None
    assert found.first_difference.stage == "buffer"
    assert "updated twice" in found.reasons[0]


def test_double_precision_agrees() -> None:
    assert in_way("dtype", Setup, way="float64").is_equal


def test_a_compiled_model_agrees() -> None:
    assert in_way("compiled", Setup, way="compiled:eager", steps=1).is_equal


def test_cancellation_is_found_in_bf16() -> None:
    class Cancelling(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return (torch.nn.functional.linear(x, torch.eye(8)) + 1000) @ torch.eye(8) - 1000

    def setup() -> Setup:
        made = Setup()
        made.model[2] = Cancelling()
        return made

    found = in_way("dtype", setup, way="bf16")
    assert found.first_difference is not None
    assert found.first_difference.name == "2"
    assert "loses more than bf16 explains" in found.reasons[0]
