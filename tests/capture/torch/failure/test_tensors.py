"""Tensors and modules in one line, whatever they are."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.failure.tensors import LARGEST, line_for, module_line, summary_of, tensor_line


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (torch.tensor(2.5), "float32[] cpu 2.5"),
        (torch.tensor([True, False]), "bool[2] cpu True, False"),
        (torch.zeros(2, 4, device="meta"), "float32[2, 4] meta"),
        (torch.zeros(0, 4), "float32[0, 4] cpu"),
        (torch.ones(2, 4, requires_grad=True), "float32[2, 4] cpu grad min 1 max 1 mean 1 std 0"),
        (torch.arange(8), "int64[8] cpu min 0 max 7 mean 3.5 std 2.291 zeros 12%"),
        (torch.tensor([float("nan")] * 8), "float32[8] cpu nan 8"),
    ],
)
def test_is_one_line(tensor: torch.Tensor, expected: str) -> None:
    assert tensor_line(tensor) == expected


@pytest.mark.parametrize(
    "tensor",
    [
        torch.ones(3, 4).to_sparse(),
        torch.ones(8, dtype=torch.complex64),
        torch.ones(8).bfloat16(),
        nn.Parameter(torch.ones(8)),
        nn.UninitializedParameter(),
    ],
)
def test_never_fails(tensor: torch.Tensor) -> None:
    assert "\n" not in tensor_line(tensor)


def test_does_not_look_into_large_tensors() -> None:
    assert summary_of(torch.zeros(1).expand(LARGEST + 1)) is None


def test_runs_no_code_of_subclasses() -> None:
    class Own(torch.Tensor):
        def min(self, *_: object) -> None:  # type: ignore[override]
            raise AssertionError

    assert tensor_line(torch.ones(8).as_subclass(Own)) == "Own float32[8] cpu"


def test_changes_neither_random_state_nor_graph() -> None:
    before = torch.get_rng_state()
    x = torch.ones(8, requires_grad=True)
    tensor_line(x * 2)
    assert torch.equal(torch.get_rng_state(), before)
    assert x._version == 0


def test_modules_and_optimizers_have_a_line() -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    assert module_line(model) == "Sequential of 2 layers, 9 parameters"
    assert line_for(torch.optim.SGD(model.parameters(), lr=0.1)) == "SGD, lr 0.1"
    assert (line_for(torch.float16), line_for(torch.zeros(2, 3).shape)) == ("torch.float16", "[2, 3]")
    assert line_for(3) is None
