"""Conventions that no name tells are found by trying."""

import torch
from torch import nn

from stetho.comparing.porting.search import find_port
from stetho.comparing.torch.subject import Subject
from stetho.inspect.call import Call
from tests.comparing.models import pairs


def test_gates_in_another_order_are_found() -> None:
    one, other = pairs.lstm("gates")
    x = torch.randn(2, 4, 5)
    found = find_port(Subject(one, Call((x,)), "a"), Subject(other, Call((x,)), "b"))
    assert found.is_confirmed
    assert found.recipes["of_x.weight"].order == (0, 2, 1, 3)


def test_branches_in_another_order_are_found() -> None:
    class Branches(nn.Module):
        def __init__(self, turned: bool) -> None:
            super().__init__()
            self.one, self.two, self.turned = nn.Linear(4, 4), nn.Linear(4, 4), turned

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.two(x).tanh() - self.one(x) if self.turned else self.one(x).tanh() - self.two(x)

    x = torch.randn(3, 4)
    found = find_port(Subject(Branches(False), Call((x,)), "a"), Subject(Branches(True), Call((x,)), "b"))
    assert found.is_confirmed
    assert str(found.recipes["two.weight"]) == "one.weight"


def test_what_cannot_be_filled_is_told() -> None:
    x = torch.randn(3, 4)
    one, other = nn.Sequential(nn.Linear(4, 4)), nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    found = find_port(Subject(one, Call((x,)), "a"), Subject(other, Call((x,)), "b"))
    assert not found.is_confirmed
    assert len(found.left) == 2
    assert "2 of 4 tensors" in found.sentence
