"""Tensors that the user wants to have on disk, and who looks at a step."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from stetho.capture.torch.calls.looks import Looks, as_array
from stetho.config import Options

from ..conftest import batch, evaluate, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.float32, torch.float64, torch.int64, torch.bool, torch.complex64]
)
def test_a_copy_keeps_its_type_where_numpy_has_it(dtype):
    tensor = torch.ones(2, 3, dtype=dtype)
    copied = as_array(tensor)
    assert torch.equal(torch.from_numpy(copied), tensor)
    assert copied.flags.owndata
    tensor.zero_()
    assert copied.all()


def test_types_that_numpy_lacks_become_wider():
    assert as_array(torch.tensor([1.5], dtype=torch.bfloat16)).dtype == np.float32
    assert as_array(torch.eye(2).to_sparse()).tolist() == [[1, 0], [0, 1]]
    assert as_array(torch.ones(1, requires_grad=True)).tolist() == [1]


def test_tensors_of_chosen_steps_are_saved(record, model, optimizer):
    before = {}

    def program():
        train(model, optimizer, 1)
        before["weight"] = model[0].weight.detach().clone().numpy()
        train(model, optimizer, 2)

    run = record(program, model, optimizer, dump="0@2-3")
    assert run.tensors(1) == {}
    saved = run.tensors(2)
    assert set(saved) == {"act/0", "act_grad/0", "param/0.weight", "grad/0.weight", "param/0.bias", "grad/0.bias"}
    assert np.array_equal(saved["param/0.weight"], before["weight"])
    assert saved["act/0"].shape == (5, 3)
    assert set(run.tensors(3)) == set(saved)


def test_saved_in_a_step_that_is_not_full_there_are_outputs_and_parameters(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 3), model, optimizer, dump="2@2", every=100)
    assert {"act/2", "param/2.weight", "grad/2.weight"} <= set(run.tensors(2))


def test_without_steps_the_first_is_saved(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 2), model, optimizer, dump="2.weight")
    assert set(run.tensors(1)) == {"param/2.weight", "grad/2.weight"}
    assert run.tensors(2) == {}


def test_several_outputs_of_one_layer_are_numbered(record):
    model = nn.Linear(4, 4)
    optimizer = sgd(model)

    def program():
        model(model(batch()[0])).sum().backward()
        optimizer.step()

    saved = record(program, model, optimizer, dump="*").tensors(1)
    assert {"act/Linear", "act/Linear#2"} <= set(saved)


def test_everything_can_be_saved_with_an_evaluation_in_between(record, model, optimizer):
    def program():
        evaluate(model)
        train(model, optimizer, 1)

    saved = record(program, model, optimizer, dump="*@1").tensors(1)
    assert {"act/0", "act/0#2", "act_grad/0", "act/Sequential", "param/0.weight"} <= set(saved)


def test_half_precision_is_saved_exactly(record):
    model = nn.Linear(4, 2).bfloat16()
    optimizer = sgd(model)
    kept = model.weight.detach().float().numpy().copy()

    def program():
        model(torch.ones(2, 4, dtype=torch.bfloat16)).sum().backward()
        optimizer.step()

    assert np.array_equal(record(program, model, optimizer, dump="*").tensors(1)["param/weight"], kept)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(), [[], []]),
        (Options(print=("*",), shapes=True), [["ShapeLog", "Printer"], ["ShapeLog", "Printer"]]),
        (Options(print=("*",), dump=("0@2",)), [["Printer"], ["Printer", "Dumper"]]),
    ],
)
def test_only_those_look_at_a_step_who_are_asked_for_it(options, expected):
    nothing: Any = None
    layers: Any = SimpleNamespace(finite=None, looks=None)
    found = []
    for number in (1, 2):
        clock: Any = SimpleNamespace(step=SimpleNamespace(number=number))
        Looks(options, clock, nothing, nothing, layers, nothing).prepare_step()
        found.append([type(look).__name__ for look in layers.looks])
    assert found == expected


def test_the_check_for_numbers_comes_first():
    nothing: Any = None
    layers: Any = SimpleNamespace(finite="the check", looks=None)
    clock: Any = SimpleNamespace(step=SimpleNamespace(number=1))
    Looks(Options(shapes=True), clock, nothing, nothing, layers, nothing).prepare_step()
    assert layers.looks[0] == "the check"
    assert len(layers.looks) == 2
