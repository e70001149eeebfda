"""What model.json says of a parameter."""

import weakref

import pytest
import torch
from torch import nn

from stetho.capture.torch.models.models import Weight
from stetho.capture.torch.models.parameter_facts import parameter_facts


def facts_of(parameter, holders=None, **known):
    weight = Weight(weakref.ref(parameter), 0, "weight", **known)
    return parameter_facts(weight, holders or {}, lambda _: "net.py:3")


def test_a_parameter_says_what_it_is_and_who_trains_it():
    parameter = nn.Parameter(torch.zeros(3, 4, dtype=torch.float64))
    assert facts_of(parameter, {id(parameter): (1, 2)}, also=["head.weight"], reached=True) == {
        "name": "weight",
        "shared_with": ["head.weight"],
        "initialised": "net.py:3",
        "shape": [3, 4],
        "dtype": "float64",
        "count": 12,
        "trainable": True,
        "as_made": False,
        "reached": True,
        "optimizer": 1,
        "group": 2,
    }


def test_nobody_trains_what_no_optimizer_holds():
    facts = facts_of(nn.Parameter(torch.zeros(3)))
    assert (facts["optimizer"], facts["group"], facts["reached"]) == (None, None, False)


@pytest.mark.parametrize(("trainable", "expected"), [(False, True), (True, False)])
def test_only_frozen_weights_are_asked_whether_chance_made_them(trainable, expected):
    torch.manual_seed(0)
    assert facts_of(nn.Linear(64, 10).weight.requires_grad_(trainable))["as_made"] is expected


def test_how_a_frozen_weight_was_at_first_stays_true():
    torch.manual_seed(0)
    parameter = nn.Linear(64, 10).weight.requires_grad_(False)
    weight = Weight(weakref.ref(parameter), 0, "weight")
    parameter_facts(weight, {}, lambda _: None)
    parameter.zero_()
    assert parameter_facts(weight, {}, lambda _: None)["as_made"] is True


def test_of_a_parameter_without_a_shape_only_the_name_is_known():
    layer = nn.LazyLinear(2)
    assert facts_of(layer.weight) == {"name": "weight", "shared_with": []}


def test_of_a_parameter_that_is_gone_only_the_name_is_known():
    weight = Weight(weakref.ref(torch.zeros(1)), 0, "weight")
    assert parameter_facts(weight, {}, lambda _: None) == {"name": "weight", "shared_with": []}
