"""Hooks on single modules: one pair on each, gone at the end, and never in a copy."""

import copy
import weakref

import pytest
import torch
from torch import nn

from stetho.capture.torch.calls.module_hooks import ModuleHooks
from stetho.capture.torch.models.models import Model
from stetho.capture.torch.patches import Patches

from ..conftest import mlp


@pytest.fixture
def seen():
    return []


@pytest.fixture
def hooks(seen):
    def told(word):
        return lambda module, *_: seen.append((word, type(module).__name__))

    hooks = ModuleHooks((told("begin"), told("end")), (told("enter"), told("leave")))
    yield hooks
    hooks.remove()


def number_of_hooks(top):
    return sum(len(module._forward_hooks) + len(module._forward_pre_hooks) for module in top.modules())


def test_a_module_that_is_watched_twice_is_followed_once(hooks, seen):
    model = mlp()
    hooks.watch_entry(model)
    hooks.watch_entry(model)
    model(torch.zeros(1, 4))
    assert seen == [("begin", "Sequential"), ("end", "Sequential")]
    assert hooks.are_on(model)
    assert not hooks.are_on(model[0])


def test_the_end_of_a_call_that_fails_is_seen(hooks, seen):
    model = nn.Linear(4, 2)
    hooks.watch_entry(model)
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        model(torch.zeros(1, 5))
    assert seen == [("begin", "Linear"), ("end", "Linear")]


def test_layers_are_followed_one_by_one_below_an_entry(hooks, seen):
    model = nn.Sequential(nn.Tanh())
    hooks.watch_entry(model)
    hooks.watch_layers(Model(0, weakref.ref(model), "model"))
    model(torch.zeros(1))
    assert seen == [("begin", "Sequential"), ("enter", "Tanh"), ("leave", "Tanh"), ("end", "Sequential")]


def test_of_a_model_that_is_gone_nothing_is_followed(hooks, seen):
    hooks.watch_layers(Model(0, lambda: None, "model"))
    assert seen == []


def test_hooks_are_taken_away(hooks):
    model = mlp()
    hooks.watch_entry(model)
    hooks.watch_layers(Model(0, weakref.ref(model), "model"))
    assert number_of_hooks(model) == 8
    hooks.remove()
    assert number_of_hooks(model) == 0
    assert not hooks.are_on(model)


def test_hooks_of_a_module_that_died_are_not_those_of_its_heir(hooks):
    old, new = nn.Tanh(), nn.Tanh()
    hooks.watch_entry(old)
    hooks._handles[id(new)] = hooks._handles.pop(id(old))
    assert not hooks.are_on(new)
    hooks.watch_entry(new)
    assert hooks.are_on(new)


def test_a_copy_has_none_of_our_hooks(hooks):
    model = mlp()
    patches = Patches()
    hooks.install(patches)
    try:
        hooks.watch_entry(model)
        assert number_of_hooks(copy.deepcopy(model)) == 0
        assert number_of_hooks(model) == 2
    finally:
        patches.undo()
