"""Memory that the forward pass keeps for the backward pass."""

import torch

from stetho.capture.guard import Guard
from stetho.profiling.torch.saved import Saved
from stetho.profiling.torch.scopes import Scopes

from .conftest import Net


def test_counts_each_storage_once_by_its_layer_and_no_parameters(guard: Guard) -> None:
    model, scopes = Net(), Scopes(guard)
    saved = Saved(guard, scopes)
    scopes.arm()
    try:
        assert saved.start(model.parameters())
        model(torch.ones(4, 8)).sum().backward()
    finally:
        saved.stop()
        scopes.remove()
    numbers = {scopes.number_of(0, name): name for name in ("", "first", "second")}
    assert {numbers.get(number, number): size for number, size in saved.bytes.items() if size} == {
        "first": 4 * 8 * 4,  # its input
        "": 4 * 16 * 4,  # what relu gave, which the second layer keeps too
    }


def test_gradients_are_the_same_bit_by_bit(guard: Guard) -> None:
    model, inputs = Net(), torch.randn(4, 8)
    model(inputs).exp().sum().backward()
    expected = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    saved = Saved(guard, Scopes(guard))
    saved.start(model.parameters())
    try:
        model(inputs).exp().sum().backward()
    finally:
        saved.stop()
    found = [p.grad for p in model.parameters() if p.grad is not None]
    assert all(torch.equal(a, b) for a, b in zip(expected, found, strict=True))


def test_hooks_of_the_program_s_own_are_left_alone(guard: Guard) -> None:
    saved = Saved(guard, Scopes(guard))
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        assert not saved.start([])
        saved.stop()
        assert torch._C._autograd._top_saved_tensors_default_hooks(True) is not None
