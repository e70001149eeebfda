"""Tests of costs: the same as those that the framework counts below autograd."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from stetho.inspect.call import Call
from stetho.inspect.flops import flops_of
from stetho.inspect.inputs import call_of
from stetho.inspect.operations import Operand, Operation, TensorFacts
from stetho.inspect.torch.recording import record
from tests.inspect.networks import cnn, control_flow, dict_input, mlp


class Products(nn.Module):
    """Products of matrices in every form."""

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        batch = torch.bmm(a, b) + a @ b + torch.baddbmm(a, a, b)
        return batch.sum() + (a[0] @ b[0]).sum() + torch.addmm(a[0], a[0], b[0]).sum()


def products() -> tuple[nn.Module, Any]:
    return Products(), (torch.randn(3, 4, 4, requires_grad=True), torch.randn(3, 4, 4, requires_grad=True))


def convolutions() -> tuple[nn.Module, Any]:
    layers = (nn.Conv2d(4, 8, 3), nn.ConvTranspose2d(8, 3, 2, stride=2), nn.Flatten(2), nn.Conv1d(3, 2, 5))
    return nn.Sequential(*layers), torch.randn(2, 4, 9, 9)


def counted(model: nn.Module, call: Call) -> tuple[int, int]:
    with FlopCounterMode(display=False) as forward:
        result = call.of(model)
    with FlopCounterMode(display=False) as backward:
        result.sum().backward()
    return forward.get_total_flops(), backward.get_total_flops()


@pytest.mark.parametrize("make", [mlp, cnn, dict_input, control_flow, products, convolutions])
def test_agrees_with_the_counter_of_the_framework(make: Callable[[], tuple[nn.Module, Any]]) -> None:
    model, inputs = make()
    call = call_of(model, inputs)
    found = [flops_of(each) for each in record(model, call).operations]
    assert (sum(each.forward for each in found), sum(each.backward for each in found)) == counted(model, call)


def total(model: nn.Module, *args: torch.Tensor) -> tuple[int, int]:
    found = [flops_of(each) for each in record(model, Call(args)).operations]
    return sum(each.forward for each in found), sum(each.backward for each in found)


def test_attention_is_two_products_and_five_in_the_backward_pass() -> None:
    class Attends(nn.Module):
        def forward(self, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
            return functional.scaled_dot_product_attention(q, k, k)

    q, k = torch.randn(2, 3, 5, 8, requires_grad=True), torch.randn(2, 3, 7, 8)
    forward = 2 * (2 * 2 * 3 * 5 * 7 * 8)
    assert total(Attends(), q, k) == (forward, int(2.5 * forward))


def test_a_recurrent_layer_multiplies_its_matrices_at_every_step() -> None:
    weights = 4 * 5 * (6 + 5)
    assert total(nn.LSTM(6, 5, batch_first=True), torch.randn(2, 7, 6)) == (2 * 14 * weights, 4 * 14 * weights)


def test_einsum_is_counted_by_its_letters() -> None:
    class Sums(nn.Module):
        def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return torch.einsum("bij, jk -> bik", a, b)

    assert total(Sums(), torch.randn(2, 3, 4), torch.randn(4, 5)) == (2 * 2 * 3 * 4 * 5, 0)


def test_groups_divide_the_cost_of_a_convolution() -> None:
    image = torch.randn(2, 4, 9, 9, requires_grad=True)
    whole, half = total(nn.Conv2d(4, 8, 3), image), total(nn.Conv2d(4, 8, 3, groups=2), image)
    assert [each * 2 for each in half] == list(whole)


def test_bilinear_layers_are_counted() -> None:
    assert total(nn.Bilinear(2, 3, 4), torch.randn(5, 2), torch.randn(5, 3))[0] == 2 * 5 * 2 * 3 * 4


def test_single_elements_and_unknown_forms_cost_nothing() -> None:
    tensor = TensorFacts((), "float32", "cpu")
    for name in ("relu", "matmul", "einsum"):
        operation = Operation(0, name, name, "forward", "", 0, None, {"equation": "..."}, (Operand(tensor),), (tensor,))
        assert flops_of(operation) == (0, 0)
