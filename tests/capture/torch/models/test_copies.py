"""What the program makes of its modules carries no hook of ours."""

import copy
import io
import pickle

import pytest
import torch
from torch import nn

import stetho
from stetho.capture.torch.calls import layer_hooks
from stetho.capture.torch.models.copies import HOOKS

from ..conftest import evaluate, mlp, sgd, train


class WithState(nn.Linear):
    """A module that says itself what belongs to it."""

    def __getstate__(self):
        return {**self.__dict__, "marked": True}


def own_hook(*_):
    """A hook of the user's, which has to stay."""


def hooks(module):
    return {name: list(vars(module)[name].values()) for name in HOOKS if vars(module).get(name)}


def saved(model):
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


WAYS = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "torch.save": saved,
}


@pytest.fixture(autouse=True)
def nothing_stands_in_for_calls(monkeypatch):
    """So that models carry hooks of ours."""
    monkeypatch.setattr(layer_hooks, "LayerCalls", None)


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_has_the_hooks_of_the_user_and_none_of_ours(way, tmp_path):
    model = mlp()
    model.register_forward_hook(own_hook)
    optimizer = sgd(model)
    with stetho.watch(model, optimizer, out=tmp_path):
        train(model, optimizer, 1)
        assert len(hooks(model)["_forward_hooks"]) == 2
        made = WAYS[way](model)
    assert hooks(made) == {"_forward_hooks": [own_hook]}
    assert [type(layer) for layer in made] == [type(layer) for layer in model]
    assert all(torch.equal(*pair) for pair in zip(made.parameters(), model.parameters(), strict=True))


def test_a_pickle_is_the_same_to_the_byte(tmp_path):
    model = mlp()
    before = pickle.dumps(model)
    with stetho.watch(model, out=tmp_path):
        assert pickle.dumps(model) == before


def test_a_module_with_a_state_of_its_own_can_be_copied_too(tmp_path):
    model = WithState(4, 2)
    with stetho.watch(model, out=tmp_path):
        made = pickle.loads(pickle.dumps(model))
    assert made.marked
    assert hooks(made) == {}


def test_a_copy_is_a_model_of_its_own(record):
    model = mlp()
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 1)
        averaged = copy.deepcopy(model)
        evaluate(averaged)
        train(model, optimizer, 1)

    run = record(program, model, optimizer)
    assert [one["id"] for one in run.model["models"]] == [0, 1]
    assert {(one.model, one.phase) for one in run.series} == {(0, "train"), (1, "eval")}


def test_afterwards_modules_are_copied_as_ever(tmp_path):
    with stetho.watch(out=tmp_path):
        pass
    assert "__reduce_ex__" not in vars(nn.Module)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_a_trained_module_can_be_scripted_and_is_watched_on() -> None:
    model = mlp()
    optimizer = sgd(model)
    with stetho.watch(model, optimizer):
        train(model, optimizer)
        before = hooks(model)
        scripted = torch.jit.script(model)
        assert hooks(model) == before
    x = torch.ones(2, next(model.parameters()).shape[1])
    assert torch.equal(scripted(x), model(x))
