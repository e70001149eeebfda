"""Births as plain data."""

from types import SimpleNamespace

import pytest
import torch

from stetho.capture.torch.autopsy.births import Birth
from stetho.capture.torch.autopsy.ops import Op
from stetho.capture.torch.autopsy.telling import Circumstances, birth_place, parameter_document, told


@pytest.fixture
def weight():
    return torch.nn.Parameter(torch.tensor([1.0, float("nan")]))


@pytest.fixture
def now(weight):
    """A training after `done` steps, with a parameter that is bad."""

    def now(done, last_finite):
        optimizer = torch.optim.Adam([weight], eps=0.0)
        optimizer.state[weight] = {"exp_avg": torch.zeros(2), "exp_avg_sq": torch.zeros(2)}
        optimizers = SimpleNamespace(holder_of=lambda _: (weight, optimizer))
        return Circumstances([], done, last_finite, 1.0, optimizers, SimpleNamespace(found={"step": ["train.py:9"]}))

    return now


@pytest.mark.parametrize(
    ("origin", "phase"),
    [
        ("parameter w", "optimizer"),
        ("buffer mean", "buffer"),
        ("gradient of the loss", "loss gradient"),
        ("input[0]", "data"),
    ],
)
def test_what_came_from_outside_is_told_by_what_it_is(origin, phase, now):
    assert told(Birth(None, origin, ()), 4, now(3, 3))["phase"] == phase


def test_an_operation_is_told_as_it_is(now):
    document = told(Birth(Op(1, "log", "forward", "train.py:3", "fc"), None, ()), 4, now(3, 3))
    assert (document["operation"], document["phase"], document["line"]) == ("log", "forward", "train.py:3")


def test_a_bad_parameter_is_laid_to_the_update_only_where_the_steps_before_were_tested(now):
    update = parameter_document("w", now(3, 3))
    assert (update["expression"], update["line"], update["index"]) == ("0 / (sqrt(0) + 0)", "train.py:9", [1])
    missed = parameter_document("w", now(9, 3))
    assert (missed["phase"], missed["since"], "expression" in missed) == ("parameter", 4, False)
    assert parameter_document("w", now(0, 0)) == {"phase": "initial", "name": "w"}


def test_the_same_fault_has_the_same_place(now):
    one = told(Birth(None, "parameter w", ()), 4, now(3, 3))
    assert birth_place(one | {"step": 4}) == birth_place(one | {"step": 5})
    assert birth_place(one) != birth_place(one | {"name": "other"})


@pytest.mark.parametrize(("norm", "phase"), [(1.0, "changed parameter"), (1e38, "optimizer")])
def test_an_update_that_cannot_have_been_too_large_is_not_blamed(weight, norm, phase):
    optimizers = SimpleNamespace(holder_of=lambda _: (weight, torch.optim.SGD([weight], lr=0.1)))
    now = Circumstances([], 3, 3, norm, optimizers, SimpleNamespace(found={"step": ["gone.py:9"]}))
    assert parameter_document("w", now)["phase"] == phase
