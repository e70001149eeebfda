"""What names of the program hold."""

import sys
from collections import deque

import torch

from stetho.profiling.growth import Held, Name
from stetho.profiling.torch.holders import snapshot


class Trainer:
    def __init__(self) -> None:
        self.history = [torch.zeros(4)]

    def look(self) -> dict[Name, Held]:
        return snapshot(sys._getframe())


def test_weighs_tensors_in_locals_containers_and_attributes() -> None:
    losses = deque([{"loss": torch.zeros(2)}, torch.zeros(2)])
    total = (torch.ones(2, requires_grad=True) * 2).sum()
    text = "no tensor"
    held = {name.name: value for name, value in Trainer().look().items()}
    assert held["losses"] == Held(tensors=2, bytes=16, nodes=0)
    assert (held["total"].tensors, held["total"].nodes) == (1, 3)
    assert held["self.history"] == Held(1, 16, 0)
    assert "text" not in held, text
    assert losses
    assert total


def test_a_thing_that_holds_itself_is_weighed_once() -> None:
    around: list[object] = [torch.zeros(1)]
    around.append(around)
    held = {name.name: value for name, value in snapshot(sys._getframe()).items()}
    assert held["around"] == Held(1, 4, 0)


def test_models_and_optimizers_are_no_growing_names() -> None:
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    assert not {"model", "optimizer"} & {name.name for name in snapshot(sys._getframe())}
    assert optimizer
