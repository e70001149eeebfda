"""What is done at once in one model and piece by piece in the other."""

import torch
from torch import Tensor, nn

from stetho.comparing.models.compare import compare_models
from stetho.comparing.models.pieces import in_pieces
from stetho.comparing.torch.capture import trace
from stetho.inspect.call import Call

X = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(0)).double()


class AtOnce(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.tanh().exp()


class InALoop(nn.Module):
    def __init__(self, wrong: int = -1) -> None:
        super().__init__()
        self.wrong = wrong

    def forward(self, x: Tensor) -> Tensor:
        parts = [x[:, at].tanh() for at in range(4)]
        return torch.stack([part.exp() if at != self.wrong else part.sinh() for at, part in enumerate(parts)], 1)


def test_pieces_of_a_tensor_are_known_and_so_is_the_whole() -> None:
    one, other = trace(AtOnce(), Call((X,)), "a"), trace(InALoop(), Call((X,)), "b")
    known = in_pieces((one, other), (one.living[1:], other.living[1:]), 1e-9)
    assert {one.sites[each].name for each in known[0]} >= {"tanh", "exp"}
    assert {other.sites[each].name for each in known[1]} == {"getitem", "tanh", "exp"}


def test_zeros_are_no_pieces() -> None:
    one, other = (trace(model, Call((torch.zeros_like(X),)), "a") for model in (AtOnce(), InALoop()))
    assert not in_pieces((one, other), (one.living[1:2], other.living[1:2]), 1e-9)[0]


def test_the_one_wrong_piece_of_a_loop_is_named() -> None:
    difference = compare_models(AtOnce(), InALoop(2), X).first_difference
    assert difference is not None
    assert difference.other is not None
    assert difference.other.operation == "sinh"
