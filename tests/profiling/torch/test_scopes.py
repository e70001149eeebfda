"""Scopes around the calls of layers."""

import pytest
import torch
from torch import nn

from stetho.capture.guard import Guard
from stetho.capture.torch.patches import Patches
from stetho.profiling.torch.scopes import Scopes, in_phase

from .conftest import Net


def test_layers_are_numbered_as_they_are_called_and_named_as_in_the_model(guard: Guard) -> None:
    scopes, model = Scopes(guard), Net()
    scopes.arm()
    try:
        model(torch.ones(1, 8))
        nn.ReLU()(torch.ones(1))
    finally:
        scopes.remove()
    assert [(layer.name, layer.kind) for layer in scopes.layers()] == [
        ("Net", "Net"),
        ("first", "Linear"),
        ("second", "Linear"),
        ("ReLU", "ReLU"),
    ]
    assert (scopes.calls, scopes.current) == (4, None)
    assert scopes.number_of(0, "second") == 2


def test_layers_of_several_models_are_told_apart(guard: Guard) -> None:
    scopes, one, two = Scopes(guard), Net(), nn.Sequential(nn.Linear(2, 2))
    scopes.arm()
    try:
        two(one(torch.ones(1, 8)))
    finally:
        scopes.remove()
    assert [layer.name for layer in scopes.layers()] == ["Net", "Net.first", "Net.second", "two", "two.0"]


def test_a_layer_that_fails_is_left_all_the_same(guard: Guard) -> None:
    scopes, model = Scopes(guard), Net()
    scopes.arm()
    try:
        with pytest.raises(RuntimeError):
            model(torch.ones(1, 9))
        assert scopes.current is None
    finally:
        scopes.remove()


def test_no_hook_is_left_and_compiled_models_get_hooks_of_their_own(guard: Guard) -> None:
    scopes, patches, model = Scopes(guard), Patches(), Net()
    scopes.install(patches)
    scopes.arm()
    try:
        compiled = torch.compile(model, backend="eager")
        assert scopes.is_compiled
        assert nn.modules.module._global_forward_hooks == {}
        assert len(compiled._forward_hooks) == 1
    finally:
        scopes.remove()
        patches.undo()
    assert len(compiled._forward_hooks) == 0


def test_the_end_of_a_phase_is_told() -> None:
    ended: list[int] = []
    assert in_phase("backward", lambda x: x + 1, lambda: ended.append(1))(2) == 3
    assert ended == [1]
