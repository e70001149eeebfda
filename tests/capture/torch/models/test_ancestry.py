"""Who holds whom: learnt while models are built, and forgotten with them."""

import copy
import gc
import weakref
from pathlib import Path

import pytest
import torch
from torch import nn

from stetho.capture.guard import Guard
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.patches import Patches

from ..conftest import mlp

PROBLEMS = []


@pytest.fixture
def ancestry():
    PROBLEMS.clear()
    patches = Patches()
    made = Ancestry(Guard(lambda point, text: PROBLEMS.append((point, text))))
    made.install(patches)
    yield made
    patches.undo()
    made.remove()
    assert PROBLEMS == []


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        self.scale = nn.Parameter(torch.ones(2))


class Deep(Net):
    def __init__(self):
        super().__init__()
        self.more = nn.Linear(2, 2)


def source(line):
    return Path(line.file).read_text().splitlines()[line.line - 1].strip()


def test_the_outermost_holder_is_found(ancestry):
    net = Net()
    assert ancestry.top(net.inner[0]) is net
    assert ancestry.top(net) is net
    outer = nn.ModuleDict({"net": net})
    assert ancestry.top(net.inner[0]) is outer


def test_a_layer_that_was_taken_out_has_no_holder_any_more(ancestry):
    net = Net()
    inner = net.inner
    del net.inner
    assert ancestry.top(inner[0]) is inner


def test_modules_that_hold_each_other_come_to_an_end(ancestry):
    one, two = nn.Module(), nn.Module()
    one.child, two.child = two, one
    assert ancestry.top(one) in (one, two)


def test_the_owner_of_a_parameter_is_found(ancestry):
    net = Net()
    assert ancestry.owner(net.scale) is net
    assert ancestry.owner(net.inner[0].weight) is net.inner[0]
    assert ancestry.owner(torch.ones(1)) is None


def test_a_parameter_that_was_replaced_has_no_owner(ancestry):
    net = Net()
    old = net.scale
    net.scale = nn.Parameter(torch.zeros(2))
    assert ancestry.owner(old) is None
    assert ancestry.owner(net.scale) is net


def test_a_layer_was_made_where_the_program_called_its_class(ancestry):
    net = Net()
    assert source(ancestry.line(net)) == "net = Net()"
    assert source(ancestry.line(net.inner)) == "self.inner = nn.Sequential(nn.Linear(2, 2), nn.ReLU())"


def test_the_constructors_of_base_classes_are_not_the_place(ancestry):
    deep = Deep()
    assert source(ancestry.line(deep)) == "deep = Deep()"
    assert source(ancestry.line(deep.more)) == "self.more = nn.Linear(2, 2)"


def test_modules_made_before_are_unknown_and_do_no_harm():
    ancestry, net = Ancestry(Guard(lambda *_: None)), mlp()
    assert ancestry.line(net) is None
    assert ancestry.top(net) is net


def test_nothing_is_kept_alive(ancestry):
    net = Net()
    references = [weakref.ref(net), weakref.ref(net.inner[0]), weakref.ref(net.scale)]
    del net
    gc.collect()
    assert [reference() for reference in references] == [None] * 3
    assert len(ancestry._lines) == 0


def test_a_module_that_hashes_by_its_state_is_learnt_before_that_state_is_there(ancestry) -> None:
    class Metric(nn.Module):
        """As those of torchmetrics."""

        def __init__(self):
            super().__init__()
            self.defaults = ("total",)

        def __hash__(self):
            return hash(self.defaults)

    holder = nn.Module()
    holder.metric = Metric()
    held = holder.metric
    held.defaults = ("total", "count")
    assert ancestry.top(held) is holder
    assert ancestry.line(held) is not None


def test_a_copy_has_the_line_where_it_gets_its_place(ancestry):
    outer, inner = nn.Module(), nn.Linear(2, 2)
    outer.first = inner
    outer.second = copy.deepcopy(inner)
    assert ancestry.line(outer.second).line == ancestry.line(inner).line + 2


def test_a_parameter_of_a_class_of_the_program_is_set_where_it_is_made(ancestry):
    net = Net()
    assert ancestry.set_at(net.scale).endswith(f"test_ancestry.py:{line_with('self.scale = nn.Parameter')}")
    assert ancestry.set_at(net.inner[0].weight) is None
    nn.init.zeros_(net.scale)
    assert ancestry.set_at(net.scale) != ancestry.set_at(Net().scale)


def line_with(text):
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)
