"""Which layer is which."""

import torch
from torch import nn

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.layers import match_layers
from stetho.comparing.models.trace import Trace
from stetho.comparing.torch.capture import trace
from stetho.inspect.call import Call


def traced(model: nn.Module) -> Trace:
    torch.manual_seed(0)
    return trace(model.double(), Call((torch.ones(2, 4).double(),)), "net")


def rows(one: nn.Module, other: nn.Module) -> list[tuple[str | None, str | None, str]]:
    traces = traced(one), traced(other)
    found = match_layers(*traces, Agreements(*traces, 1e-9))
    return [(each.one and each.one.name, each.other and each.other.name, each.how) for each in found]


def test_renamed_layers_are_matched_by_their_values() -> None:
    layer = nn.Linear(4, 4)
    one = nn.Sequential(layer, nn.Tanh())
    other = nn.ModuleDict({"body": layer, "act": nn.Tanh()})
    other.forward = lambda x: other["act"](other["body"](x))  # type: ignore[method-assign]
    assert rows(one, other) == [("0", "body", "same"), ("1", "act", "same"), ("", "", "same")]


def test_layers_of_other_values_are_matched_by_order_shape_and_class() -> None:
    one = nn.Sequential(nn.Linear(4, 3), nn.Dropout(), nn.Linear(3, 2))
    other = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
    assert [row for row in rows(one, other) if row[0] and row[1]] == [("0", "0", "differs"), ("2", "1", "differs")]
