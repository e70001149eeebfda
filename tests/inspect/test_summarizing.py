"""Tests of summaries: rows in the order of calls, costs, totals, and what was not called."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import nn

from stetho.inspect.inputs import call_of
from stetho.inspect.summarizing import Row, Summary, summarize
from stetho.inspect.torch.recording import record
from stetho.inspect.torch.structure import parts_of
from tests.inspect.networks import NETWORKS, Wrong, control_flow, gpt, mlp


def summary(model: nn.Module, inputs: Any = None, *, is_terse: bool = True) -> Summary:
    call = call_of(model, inputs) if inputs is not None else None
    recording = record(model, call, keep_failure=True, is_terse=is_terse) if call is not None else None
    return summarize(parts_of(model), recording, "model")


def row(found: Summary, name: str) -> Row:
    return next(each for each in found.rows if each.name == name)


@pytest.mark.parametrize("make", NETWORKS)
def test_totals_are_those_of_the_model(make: Callable[[], tuple[nn.Module, Any]]) -> None:
    model, inputs = make()
    found = summary(model, inputs)
    assert found.totals.parameters == sum(each.numel() for each in model.parameters())
    assert found.totals.flops > 0
    assert found.totals.backward_flops > 0
    assert found.totals.saved > 0
    assert found.failure is None


@pytest.mark.parametrize("make", NETWORKS)
def test_a_terse_recording_is_enough(make: Callable[[], tuple[nn.Module, Any]]) -> None:
    model, inputs = make()
    short, long = (summary(model, inputs, is_terse=is_terse) for is_terse in (True, False))
    assert [each._replace(seconds=0.0) for each in short.rows] == [each._replace(seconds=0.0) for each in long.rows]
    assert replace(short.totals, seconds=0.0) == replace(long.totals, seconds=0.0)


def test_rows_stand_in_the_order_of_calls_with_shapes() -> None:
    found = summary(*mlp())
    assert [(each.name, each.kind, each.depth) for each in found.rows] == [
        ("", "Sequential", 0),
        ("0", "Flatten", 1),
        ("1", "Linear", 1),
        ("2", "ReLU", 1),
        ("3", "Dropout", 1),
        ("4", "Linear", 1),
    ]
    assert row(found, "1").inputs[0].shape == (2, 12)
    assert row(found, "1").outputs[0].shape == (2, 8)


def test_a_row_includes_what_is_inside_of_it() -> None:
    found = summary(*gpt())
    block, mlp_ = row(found, "blocks.0"), row(found, "blocks.0.mlp")
    assert mlp_.flops == row(found, "blocks.0.mlp.0").flops + row(found, "blocks.0.mlp.2").flops
    # Attention is an operation of the block itself.
    parts = sum(row(found, f"blocks.0.{name}").flops for name in ("norm", "qkv", "out", "mlp"))
    assert block.flops == parts + 2 * 2 * (2 * 6 * 6 * 16)
    assert found.rows[0].flops == found.totals.flops


def test_shared_parameters_are_counted_once_and_marked() -> None:
    model, ids = gpt()
    found = summary(model, ids)
    assert not row(found, "tokens").shared
    assert row(found, "head").shared
    assert found.totals.repeated_names == 1


def test_several_calls_are_rows_of_which_one_has_the_parameters() -> None:
    found = summary(*control_flow())
    assert [each.status for each in found.rows] == ["ran", "ran", "again", "again"]
    assert found.totals.parameters == 20


def test_a_failing_model_shows_what_ran_what_failed_and_what_was_not_reached() -> None:
    model = Wrong()
    model.third = nn.Linear(2, 2)
    found = summary(model, (3, 4))
    assert [(each.name, each.status) for each in found.rows] == [
        ("", "failed"),
        ("first", "ran"),
        ("second", "failed"),
        ("third", "not reached"),
    ]
    assert found.failure is not None


def test_layers_that_are_never_called_are_named_and_lists_of_layers_are_not() -> None:
    class Forgets(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
            self.unused = nn.Sequential(nn.Linear(2, 2))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.layers[1](self.layers[0](x))  # type: ignore[no-any-return]

    found = summary(Forgets(), (1, 2))
    assert [each.name for each in found.rows if each.status == "not called"] == ["layers.2", "unused"]


def test_without_inputs_the_parts_stand_as_they_are() -> None:
    found = summary(gpt()[0])
    assert not found.is_called
    assert [each.name for each in found.rows][:4] == ["", "tokens", "blocks", "blocks.0"]
    assert found.totals.parameters > 0


def test_frozen_parameters_are_not_trainable() -> None:
    model = nn.Sequential(nn.Linear(2, 2).requires_grad_(False), nn.Linear(2, 2))
    found = summary(model, (1, 2))
    assert (found.totals.parameters, found.totals.trainable) == (12, 6)
    assert row(found, "0").backward_flops == 0
