"""Tests of what layers cost, without their operations."""

import torch
from torch import Tensor, nn

from stetho.inspect.call import Call
from stetho.inspect.flops import flops_of
from stetho.inspect.torch.recording import record
from tests.inspect.networks import Wrong, gpt


def test_only_operations_that_cost_something_are_written_down() -> None:
    model, ids = gpt()
    short, long = (record(model, Call((ids,)), is_terse=is_terse) for is_terse in (True, False))
    assert {each.name for each in short.operations} == {"linear", "scaled_dot_product_attention"}
    assert len(short.operations) + short.uncounted == len(long.operations)
    assert [flops_of(each) for each in short.operations] == [
        each for each in map(flops_of, long.operations) if any(each)
    ]


def test_what_is_kept_is_told_by_layer() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    assert record(model, Call((torch.randn(10, 4),)), is_terse=True).kept == {1: 10 * 4 * 4, 2: 10 * 8 * 4}


def test_what_is_kept_outside_of_all_layers_belongs_to_none() -> None:
    call = Call(function=lambda model: model(torch.ones(2, 3)).exp())
    assert record(nn.Linear(3, 4), call, is_terse=True).kept[-1] == 2 * 4 * 4


def test_weights_of_recurrent_layers_are_known_from_their_states() -> None:
    model, inputs = nn.LSTM(3, 4), Call((torch.randn(5, 2, 3),))
    short, long = (record(model, inputs, is_terse=is_terse).operations for is_terse in (True, False))
    assert flops_of(short[-1]).forward == next(flops_of(each).forward for each in long if each.name == "lstm") > 0


def test_what_one_model_makes_is_no_input_of_the_next() -> None:
    class Both(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Linear(2, 3), nn.Linear(3, 1)

    given = torch.ones(1, 2)
    call = Call(function=lambda model: model.second(model.first(given).detach()))
    calls = sorted(record(Both(), call, is_terse=True).calls)
    assert [each.inputs[0].maker is None for each in calls] == [True, False]


def test_a_value_that_is_read_is_an_operation() -> None:
    class Reads(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x * 2 if x.sum().item() > 0 else x

    assert record(Reads(), Call((torch.ones(2),)), is_terse=True).uncounted == 3


def test_a_failure_names_layer_and_operation() -> None:
    failure = record(Wrong(), Call((torch.ones(3, 4),)), keep_failure=True, is_terse=True).failure
    assert failure is not None
    assert (failure.layer, failure.operation) == ("second", "linear")
