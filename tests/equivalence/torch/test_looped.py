"""What stands between a program and torch. The programs of test_whole_programs.py go through all of it."""

import pytest
import torch
from torch import nn

from stetho.equivalence.torch.loop import LoopWay, NotPossible
from stetho.equivalence.torch.looped import Looped


def test_the_model_is_the_outermost_that_an_optimizer_trains() -> None:
    looped = Looped(LoopWay(), 1)
    model = nn.Sequential(nn.Linear(2, 2))
    looped._called(model, (torch.ones(1, 2),))
    assert looped.tape is None
    looped._meet(torch.optim.SGD(model.parameters(), lr=0.1))
    looped._called(model, (torch.ones(1, 2),))
    assert looped.tape is not None
    assert list(looped.tape.kinds.values()) == ["Sequential", "Linear"]


def test_an_optimizer_that_calls_a_closure_is_not_possible() -> None:
    looped, weight = Looped(LoopWay(), 1), nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    looped._meet(optimizer)
    with pytest.raises(NotPossible, match="a closure"):
        optimizer.step(lambda: 0.0)
