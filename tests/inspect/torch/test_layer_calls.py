"""Tests of the calls of layers, which every recorder sees."""

import pytest
import torch
from torch import nn

from stetho.inspect.call import Call
from stetho.inspect.torch.recording import record


@pytest.mark.parametrize("is_terse", [True, False])
def test_calls_are_seen_of_a_model_that_was_compiled_in_place(is_terse: bool) -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    model.compile(backend="eager")
    compiled = model._compiled_call_impl
    calls = record(model, Call((torch.ones(1, 2),)), is_terse=is_terse).calls
    assert [call.name for call in sorted(calls)] == ["", "0", "1"]
    assert model._compiled_call_impl is compiled


@pytest.mark.parametrize("is_terse", [True, False])
def test_hooks_of_the_program_run_inside_of_the_call(is_terse: bool) -> None:
    model = nn.Linear(2, 3)
    model.register_forward_hook(lambda _module, _inputs, output: output[:, :1])
    (call,) = record(model, Call((torch.ones(1, 2),)), is_terse=is_terse).calls
    assert call.outputs[0].tensor.shape == (1, 1)
