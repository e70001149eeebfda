"""All that one call of a model computes."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from stetho.comparing.models.gradients import ALL
from stetho.comparing.torch.capture import in_double, trace, weights_of
from stetho.inspect.call import Call


class Changing(nn.Module):
    """Writes into a tensor of its own, directly and through a view."""

    def forward(self, x: Tensor) -> Tensor:
        out = torch.zeros(2, 3)
        out[0] = x
        out.view(-1)[5] = 7.0
        return out + 1


def test_values_are_those_of_their_time() -> None:
    found = trace(Changing(), Call((torch.ones(3),)), "net")
    values = {site.name: site.value for site in found.sites}
    assert values["zeros"].sum() == 0
    assert found.sites[found.outputs[0]].value.tolist() == [[2, 2, 2], [1, 1, 8]]
    assert found.sites[found.outputs[0]].is_data


class Writing(nn.Module):
    """Writes where values are lent: by a name that tells, or by an argument that tells."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def forward(self, x: Tensor) -> Tensor:
        y = x * -2
        return y.neg_() if self.how == "name" else torch.nn.functional.relu(y, True)


@pytest.mark.parametrize(("how", "end"), [("name", 2.0), ("argument", 0.0)])
def test_values_are_those_of_their_time_in_memory_that_is_lent(how: str, end: float) -> None:
    found = trace(Writing(how), Call((torch.ones(100, 100),)), "net")
    assert [float(site.value.mean()) for site in found.sites] == [1.0, -2.0, end]


def test_what_is_written_without_a_word_is_captured_again_with_copies() -> None:
    model = nn.BatchNorm1d(5000).train()
    found = trace(model, Call((torch.ones(2, 5000),)), "net")
    assert {site.name: float(site.value.mean()) for site in found.sites}["running_mean"] == 0.0


def test_an_input_flows_into_data_and_not_into_weights() -> None:
    found = trace(nn.Linear(2, 2), Call((torch.ones(1, 2),)), "net")
    assert {site.name: site.is_data for site in found.sites} == {
        "input": True,
        "weight": False,
        "bias": False,
        "linear": True,
    }


def test_gradients_of_weights_inputs_and_values() -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.Tanh()).double()
    found = trace(model, in_double(Call((torch.ones(4, 2),))), "net", gradients_of=[0], kinds=ALL)
    assert set(found.weight_gradients) == {"0.weight", "0.bias"}
    assert found.input_gradients[0].shape == (4, 2)
    linear = next(site for site in found.sites if site.name == "linear")
    assert linear.gradient is not None
    assert np.allclose(linear.gradient.sum(0), found.weight_gradients["0.bias"])
    assert model[0].weight.grad is None


def test_the_second_call_of_a_layer_has_a_number() -> None:
    layer = nn.Linear(2, 2)
    found = trace(nn.Sequential(layer, layer), Call((torch.ones(1, 2),)), "net")
    assert [each.name for each in found.layers] == ["", "0", "0#2"]


def test_a_tied_weight_has_one_name() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    model[1].weight = model[0].weight
    assert list(weights_of(model)) == ["0.weight", "0.bias", "1.bias"]


def test_what_lends_its_type_alone_is_no_data() -> None:
    class Table(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x + torch.arange(3).to(x) + torch.ones_like(x)

    found = trace(Table(), Call((torch.ones(3),)), "net")
    assert {site.name for site in found.sites if site.is_data} == {"x", "add"}
