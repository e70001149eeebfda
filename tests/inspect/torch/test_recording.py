"""Tests of a recorded call as a whole."""

import pytest
import torch
from torch import nn

from stetho.inspect.call import Call
from stetho.inspect.torch.recording import record
from tests.inspect.networks import Wrong, attention


def test_what_is_kept_for_the_backward_pass_is_counted_once_and_without_parameters() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    operations = record(model, Call((torch.randn(10, 4),))).operations
    # The input of the first layer; the result of the ReLU, which is the input of the second.
    assert [each.saved for each in operations] == [10 * 4 * 4, 10 * 8 * 4, 0]


def test_without_gradients_nothing_is_kept() -> None:
    with torch.no_grad():
        assert all(each.saved == 0 for each in record(nn.Linear(4, 8), Call((torch.ones(1, 4),))).operations)


def test_attention_is_opened() -> None:
    model, inputs = attention()
    names = [each.name for each in record(model, Call((inputs,))).operations if each.layer == "self_attn"]
    assert names.count("linear") == 2
    assert "scaled_dot_product_attention" in names


def test_an_error_of_the_model_is_raised_unless_it_is_asked_for() -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        record(Wrong(), Call((torch.ones(3, 4),)))


def test_an_error_outside_of_every_layer_is_a_failure_of_the_model() -> None:
    def call(_: nn.Module) -> None:
        raise ValueError("nothing to call")

    failure = record(nn.ReLU(), Call(function=call), keep_failure=True).failure
    assert failure is not None
    assert str(failure).startswith("the model failed: ValueError: nothing to call")
