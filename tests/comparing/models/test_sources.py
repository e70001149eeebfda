"""What a difference comes from."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from stetho.comparing.models.compare import compare_models


class Angles(nn.Module):
    def __init__(self, base: float) -> None:
        super().__init__()
        self.base = base

    def forward(self, x: Tensor) -> Tensor:
        angles = self.base ** (-torch.arange(x.size(1)) / 8).to(x)
        return x * angles.cos() if self.base == 10.0 else angles.cos().mul(x)


class Heads(nn.Module):
    def __init__(self, spread: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.inward, self.spread = nn.Linear(6, 6), spread

    def forward(self, x: Tensor) -> Tensor:
        x = self.inward(x).tanh()
        return x.repeat(1, 2).view(-1, 3) @ self.spread(x).contiguous().view(-1, 3).mT


def test_a_constant_of_another_base_is_named_where_it_is_made() -> None:
    difference = compare_models(Angles(10.0), Angles(12.0), (2, 4)).first_difference
    assert difference is not None
    assert difference.other is not None
    assert difference.other.operation == "pow"
    assert difference.reasons[0].endswith("is 10 in the first, 12 in the second")


def test_another_order_is_named_where_it_came_about() -> None:
    torch.manual_seed(0)
    pair = Heads(lambda x: x.repeat(1, 2)), Heads(lambda x: x.repeat_interleave(2, 1))
    pair[1].load_state_dict(pair[0].state_dict())
    difference = compare_models(*pair, (2, 6)).first_difference
    assert difference is not None
    assert difference.other is not None
    assert difference.other.operation == "repeat_interleave"
    assert difference.reasons == ("the same values in another order: axes are turned, split or joined differently",)
