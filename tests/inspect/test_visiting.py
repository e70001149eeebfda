"""Tests of `stetho.visit`: every operation in its order, on networks of every kind, without disturbing them."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import stetho
from stetho.inspect.operations import Operation
from tests.inspect.networks import NETWORKS, Deciding, Gpt, cnn, gan, gpt


def visited(model: nn.Module, inputs: Any, **options: bool) -> list[Operation]:
    found: list[Operation] = []
    stetho.visit(model, inputs, found.append, **options)
    return found


@pytest.mark.parametrize("make", NETWORKS)
def test_every_kind_of_network_is_visited_forward_and_backward(make: Callable[[], tuple[nn.Module, Any]]) -> None:
    model, inputs = make()
    operations = visited(model, inputs, backward=True)
    assert [each.number for each in operations] == list(range(len(operations)))
    assert {each.phase for each in operations} == {"forward", "backward"}
    layers = {name for name, _ in model.named_modules()} | {"CrossEntropyLoss"}
    assert {each.layer for each in operations if each.phase == "forward"} <= layers
    assert all(operand.maker is None or operand.maker < each.number for each in operations for operand in each.inputs)


def test_an_operation_tells_where_it_stands_and_what_it_is() -> None:
    model, inputs = gpt()
    linear = next(each for each in visited(model, inputs) if each.layer == "blocks.1.mlp.0")
    assert (linear.name, linear.phase) == ("linear", "forward")
    assert linear.line is not None
    assert "networks.py:" in linear.line
    assert [each.tensor.shape for each in linear.inputs] == [(2, 6, 16), (64, 16), (64,)]
    assert linear.inputs[1].origin == "parameter blocks.1.mlp.0.weight"
    assert linear.outputs[0].shape == (2, 6, 64)


def test_arguments_have_their_names() -> None:
    model, inputs = cnn()
    named = {each.name: each.arguments for each in visited(model, inputs)}
    assert named["conv2d"]["stride"] == [1, 1]
    assert named["max_pool2d"]["kernel_size"] == 2
    assert named["relu"]["inplace"] is True


def test_control_flow_is_followed_as_it_happens() -> None:
    names = [each.name for each in visited(Deciding(), (torch.ones(1, 4), torch.tensor(3)))]
    assert names == ["int", *["linear", "tanh"] * 3, "sum", "gt", "bool"]


def test_values_are_there_while_the_callable_looks_and_its_own_operations_are_not_visited() -> None:
    seen = []
    stetho.visit(nn.ReLU(), torch.tensor([-1.0, 2.0]), lambda each: seen.append(each.outputs[0].value.sum().item()),
                 values=True)  # fmt: skip
    assert seen == [2.0]
    assert visited(nn.ReLU(), torch.ones(1))[0].outputs[0].value is None


def test_edges_follow_what_is_written_in_place() -> None:
    class Writes(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x + 1
            y[0] = 5
            y.mul_(2)
            return y.sum()

    add, setitem, mul, total = visited(Writes(), torch.ones(3))
    assert (setitem.inputs[0].maker, mul.inputs[0].maker, total.inputs[0].maker) == (
        add.number,
        setitem.number,
        mul.number,
    )


def test_operations_of_a_backward_pass_belong_to_the_layers_of_the_forward_pass() -> None:
    model = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    backward = [each for each in visited(model, (2, 4), backward=True) if each.phase == "backward"]
    assert [each.layer for each in backward if each.name == "tanh_backward"] == ["1"]
    assert {each.layer for each in backward if each.name == "mm"} == {"0", "2"}


def test_scripted_parts_are_seen_below_python() -> None:
    with pytest.warns(DeprecationWarning, match="torch.jit.script"):
        scripted = torch.jit.script(nn.Sequential(nn.Linear(4, 3), nn.ReLU()))
    names = [each.name for each in visited(nn.Sequential(scripted, nn.Tanh()), (2, 4))]
    assert {"addmm", "relu", "tanh"} <= set(names)


@pytest.mark.filterwarnings("ignore:`torch.jit.*` is deprecated:DeprecationWarning")
def test_a_compiled_model_is_seen_as_it_is_written() -> None:
    names = [each.name for each in visited(torch.compile(nn.Linear(4, 3)), (2, 4))]
    assert names == ["linear"]


def test_the_model_and_the_random_numbers_are_left_as_they_were() -> None:
    class Remembers(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm, self.drop = nn.BatchNorm1d(4), nn.Dropout()
            self.calls, self.cache = 0, {}

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            self.cache["last"] = x
            return self.drop(self.norm(x)) * random.random()

    model = Remembers()
    state, drawn, plain = copy.deepcopy(model.state_dict()), torch.get_rng_state(), random.getstate()
    visited(model, (3, 4), backward=True)
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    assert (model.calls, model.cache, model.training) == (0, {}, True)
    assert all(parameter.grad is None for parameter in model.parameters())
    assert not model.norm._forward_hooks
    assert torch.equal(torch.get_rng_state(), drawn)
    assert random.getstate() == plain
    assert nn.Module.__call__.__qualname__ == "Module._wrapped_call_impl"


def test_a_lazy_model_stays_lazy() -> None:
    model = nn.LazyLinear(3)
    assert visited(model, torch.ones(2, 4))[-1].outputs[0].shape == (2, 3)
    assert model.has_uninitialized_params()


def test_an_error_of_the_callable_ends_the_visit_and_undoes_everything() -> None:
    def fail(_: Operation) -> None:
        raise KeyError("enough")

    model = nn.BatchNorm1d(2)
    with pytest.raises(KeyError, match="enough"):
        stetho.visit(model, (3, 2), fail)
    assert int(model.num_batches_tracked) == 0
    assert nn.Module.__call__.__qualname__ == "Module._wrapped_call_impl"


def test_without_anything_to_derive_there_is_no_backward_pass() -> None:
    with pytest.raises(stetho.UsageError, match="no backward pass"):
        visited(nn.ReLU(), (2,), backward=True)


def test_a_function_may_call_parts_of_the_model_in_its_own_way() -> None:
    model, call = gan()
    layers = [each.layer for each in visited(model, call) if each.name == "linear"]
    assert layers == ["generator.0", "generator.2", "discriminator.0", "discriminator.2"]


def test_a_model_without_values_is_visited_too() -> None:
    with torch.device("meta"):
        model = Gpt(width=64)
    assert visited(model, "2,6:int64")[-1].outputs[0].device == "meta"
