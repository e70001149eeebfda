"""Stand-ins of models: nothing of the program's changes."""

import copy
import threading

import torch
from torch import nn

from stetho.capture.torch.autopsy.copied import Copies


def test_shared_parameters_stay_shared():
    first, second = nn.Linear(2, 2), nn.Linear(2, 2)
    second.weight = first.weight
    copies = Copies()
    one, other = copies.of(first), copies.of(second)
    assert one.weight is other.weight is copies.tensor(first.weight)
    assert one.weight is not first.weight


def test_a_result_that_a_module_keeps_does_not_stand_in_the_way():
    model = nn.Linear(2, 2)
    model.last = model(torch.ones(1, 2))
    assert Copies().of(model) is not model


def test_hooks_of_the_program_are_not_called():
    model, seen = nn.Linear(2, 2), []
    model.register_forward_hook(lambda *_: seen.append(1))
    copies = Copies()
    copies.of(model)(torch.ones(1, 2))
    assert (seen, copies.own_hooks) == ([], True)


def test_a_model_that_cannot_be_copied_gets_its_state_back():
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    model.lock, model.calls, model.count = threading.Lock(), [], 0
    before, hooks = copy.deepcopy(model[1].state_dict()), model._forward_hooks
    with Copies().put_back() as copies:
        stand_in = copies.of(model)
        assert stand_in is model
        stand_in(torch.randn(4, 2))
        stand_in.count, stand_in.calls[:] = 5, [1]
    assert (model.count, model.calls, model._forward_hooks is hooks) == (0, [], True)
    assert all(torch.equal(value, before[name]) for name, value in model[1].state_dict().items())


def test_a_forward_that_knows_the_model_by_name_runs_on_the_model():
    model = nn.Linear(2, 2)
    model.forward = lambda x: model.weight @ x
    assert Copies().of(model) is model
