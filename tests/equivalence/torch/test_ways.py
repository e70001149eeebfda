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


def test_a_gradient_that_is_all_rounding_is_no_difference_in_bf16() -> None:
    # The mean that a batch norm takes away makes the gradient of the bias before it nothing.
    assert in_way("dtype", lambda: Setup(norm=nn.BatchNorm1d), way="bf16").is_equal


def test_a_small_batch_through_a_relu_agrees_in_bf16() -> None:
    class Small(Setup):
        def __init__(self) -> None:
            super().__init__(norm=lambda _: nn.Identity(), size=12)

    assert in_way("dtype", Small, way="bf16").is_equal


def test_gradients_that_are_lost_in_fp16_are_told() -> None:
    class Tiny(Setup):
        def loss(self, model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
            return super().loss(model, batch) * 1e-7

    found = in_way("dtype", Tiny, way="fp16")
    assert found.first_difference is not None
    assert found.first_difference.stage == "grad"
    assert "too small for the type" in found.reasons[0]
