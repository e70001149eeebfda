"""Two models side by side."""

import torch
from torch import nn

from stetho.comparing.models.sides import joined
from stetho.comparing.torch.capture import trace
from stetho.inspect.call import Call

X = torch.randn(3, 4, generator=torch.Generator().manual_seed(0)).double()


def test_outputs_that_do_not_agree_are_told_by_their_sites() -> None:
    one, other, third = (trace(model, Call((X,)), "a") for model in (nn.Tanh(), nn.Tanh(), nn.ReLU()))
    assert joined((one, other), 1e-9).unequal == []
    assert joined((one, third), 1e-9).unequal == [(one.outputs[0], third.outputs[0])]


def test_another_order_at_the_end_is_unequal() -> None:
    one, other = trace(nn.Identity(), Call((X,)), "a"), trace(nn.Identity(), Call((X.flip(0),)), "b")
    assert joined((one, other), 1e-9).unequal
