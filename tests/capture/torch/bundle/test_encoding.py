"""Live objects as JSON, and back."""

import json
import threading
from collections import namedtuple
from dataclasses import dataclass

import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.bundle.encoding import Encoder, stored
from stetho.capture.torch.bundle.rebuild import Step

Pair = namedtuple("Pair", "left right")


@dataclass
class Settings:
    """A plain object."""

    width: int
    names: list[str]


def there_and_back(value):
    encoder = Encoder()
    code = json.loads(json.dumps(encoder.value(value)))
    document = {"tensors": encoder.facts, "modules": encoder.modules, "sources": encoder.sources, "events": []}
    return Step(document, encoder.tensors).value(code), encoder


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, "x", 0.1, float("inf"), [1, (2, "a")], {"a": 1, 2: [3]}, {1, 2}, torch.float16,
        torch.device("cpu"), torch.Size([2, 3]), slice(1, None, 2), range(0, 6, 2), ..., functional.relu, torch.relu,
        nn.Linear,
    ],
    # Not the text of functions: it holds an address, and workers that test side by side would not agree.
    ids=lambda value: getattr(value, "__name__", str(value)),
)  # fmt: skip
def test_plain_values_come_back(value):
    assert there_and_back(value)[0] == value


def test_tensors_come_back_with_what_they_are():
    x = torch.randn(2, 3).T.requires_grad_()
    back, _ = there_and_back([x, x])
    assert torch.equal(back[0], x)
    assert back[0] is back[1]
    assert back[0].requires_grad


def test_objects_of_the_program_come_back():
    pair, encoder = there_and_back(Pair(1, torch.ones(2)))
    assert (pair.left, pair.right.tolist()) == (1, [1, 1])
    assert next(iter(encoder.sources.values()))["file"] == __file__
    settings, _ = there_and_back(Settings(3, ["a"]))
    assert (settings.width, settings.names) == (3, ["a"])


def test_modules_come_back_without_their_constructor():
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    model.append(model[0])
    back, _ = there_and_back(model)
    assert back[0] is back[2]
    assert all(map(torch.equal, model.state_dict().values(), back.state_dict().values()))
    assert str(back) == str(model)


def test_what_has_no_form_is_left_out_and_listed():
    back, encoder = there_and_back({"lock": threading.Lock()})
    assert back == {"lock": None}
    assert encoder.left_out == ["a value (lock)"]


def test_what_is_only_pointed_at_needs_no_word():
    encoder, layer = Encoder(), torch.nn.GRU(2, 3)
    encoder.module(layer)
    assert layer._flat_weight_refs
    assert encoder.left_out == []


def test_stored_tensors_are_plain():
    assert stored(torch.eye(2).to_sparse()).layout is torch.strided
    assert stored(torch.ones(2, 3).T).is_contiguous()
