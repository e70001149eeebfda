"""Tests of the recorder: calls of layers around operations."""

import threading

import torch
from torch import nn

from stetho.inspect.call import Call
from stetho.inspect.torch.recording import record
from tests.inspect.networks import Deciding, Wrong, gpt


def test_calls_are_nested_as_layers_are() -> None:
    model, ids = gpt()
    calls = record(model, Call((ids,))).calls
    by_number = {call.number: call for call in calls}
    parents = {call.name: by_number[call.parent].name for call in calls if call.parent is not None}
    assert parents["blocks.0"] == ""
    assert parents["blocks.1.mlp.2"] == "blocks.1.mlp"


def test_a_call_holds_its_operations_and_its_tensors() -> None:
    model, ids = gpt()
    recording = record(model, Call((ids,)))
    call = next(each for each in recording.calls if each.name == "blocks.0.mlp")
    inside = recording.operations[call.first : call.last]
    assert [each.name for each in inside] == ["linear", "gelu", "linear"]
    assert call.outputs[0].maker == inside[-1].number
    assert call.kind == "Sequential"


def test_several_calls_of_a_layer_are_told_apart() -> None:
    calls = record(Deciding(), Call((torch.ones(1, 4), torch.tensor(3)))).calls
    assert [call.name for call in sorted(calls)] == ["", "step", "step", "step"]


def test_a_layer_that_is_not_registered_has_a_name_too() -> None:
    class Makes(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return nn.ReLU()(x)  # type: ignore[no-any-return]

    assert record(Makes(), Call((torch.ones(1),))).operations[0].layer == "ReLU"


def test_a_failure_names_layer_operation_and_reason_and_keeps_what_ran() -> None:
    recording = record(Wrong(), Call((torch.ones(3, 4),)), keep_failure=True)
    assert [each.name for each in recording.operations] == ["linear", "relu"]
    failure = recording.failure
    assert failure is not None
    assert (failure.layer, failure.kind, failure.operation) == ("second", "Linear", "linear")
    assert "takes 9 features" in failure.why
    assert [call.error is None for call in sorted(recording.calls)] == [False, True, False]


def test_an_error_that_the_model_catches_is_no_failure() -> None:
    class Tries(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wrong = Wrong()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            try:
                return self.wrong(x)  # type: ignore[no-any-return]
            except RuntimeError:
                return x * 2

    recording = record(Tries(), Call((torch.ones(3, 4),)), keep_failure=True)
    assert recording.failure is None
    assert recording.operations[-1].name == "mul"


def test_modules_of_other_threads_are_not_recorded() -> None:
    class Threads(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            other = threading.Thread(target=nn.ReLU(), args=(x,))
            other.start()
            other.join()
            return x + 1

    recording = record(Threads(), Call((torch.ones(1),)))
    assert [call.kind for call in recording.calls] == ["Threads"]
    assert [each.name for each in recording.operations] == ["add"]
