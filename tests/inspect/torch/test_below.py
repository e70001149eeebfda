"""Tests of operations below autograd."""

import pytest
import torch
from torch import nn

from stetho.inspect.call import Call
from stetho.inspect.torch.recording import record


def test_a_backward_pass_is_chained_by_storage() -> None:
    recording = record(nn.Sequential(nn.Linear(3, 2), nn.ReLU()), Call((torch.randn(4, 3),)), backward=True)
    backward = [each for each in recording.operations if each.phase == "backward"]
    assert any(operand.maker in {each.number for each in backward} for each in backward for operand in each.inputs)


def test_what_the_recorder_does_itself_is_not_seen() -> None:
    recording = record(nn.Linear(3, 2), Call((torch.randn(4, 3),)), backward=True)
    assert "detach" not in [each.name for each in recording.operations if each.phase == "forward"]


@pytest.mark.filterwarnings("ignore:`torch.jit.*` is deprecated:DeprecationWarning")
def test_an_operation_of_torchscript_is_told_once() -> None:
    scripted = torch.jit.script(nn.Sequential(nn.Linear(3, 2), nn.ReLU()))
    recording = record(scripted, Call((torch.randn(4, 3),)))
    assert [each.name for each in recording.operations if each.name in ("addmm", "relu")] == ["addmm", "relu"]
