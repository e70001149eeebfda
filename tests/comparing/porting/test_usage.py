"""Weights in the order of their use."""

import torch
from torch import Tensor, nn

from stetho.comparing.porting.usage import lies_inputs_first, used_weights
from stetho.comparing.torch.capture import trace
from stetho.inspect.call import Call


class Net(nn.Module):
    """Uses its weights in another order than it makes them, one of them twice, one never."""

    def __init__(self) -> None:
        super().__init__()
        self.never = nn.Parameter(torch.ones(2))
        self.late = nn.Parameter(torch.ones(4, 3))
        self.early = nn.Linear(4, 4, bias=False)
        self.again = nn.Linear(4, 4, bias=False)
        self.again.weight = self.early.weight

    def forward(self, x: Tensor) -> Tensor:
        return self.again(self.early(x)) @ self.late


TRACE = trace(Net(), Call((torch.ones(1, 4),)), "net")


def test_weights_come_in_the_order_of_their_use() -> None:
    assert [each.name for each in used_weights(TRACE)] == ["early.weight", "late", "never"]


def test_a_shared_weight_is_there_for_each_layer() -> None:
    assert [each.name for each in used_weights(TRACE, again=True)][:2] == ["early.weight", "early.weight"]


def test_the_way_a_weight_lies_is_seen_by_its_use() -> None:
    assert lies_inputs_first(TRACE, "late")
    assert not lies_inputs_first(TRACE, "early.weight")
    assert not lies_inputs_first(TRACE, "never")
