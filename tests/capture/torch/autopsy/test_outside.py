"""What a model does outside of itself is undone, or named."""

from collections import deque

import torch
from torch import nn

import stetho
from stetho.capture.torch.autopsy.outside import Contents, Outside, is_own

from .numerics import X

calls = 0
seen = []


class Memory:
    def __init__(self):
        self.items, self.pushed = deque(maxlen=3), 0

    def push(self, item):
        self.items.append(item)
        self.pushed += 1


memory = Memory()


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.own = nn.Linear(4, 3), set()

    def forward(self, x):
        global calls
        calls += 1
        seen.append(calls)
        memory.push(calls)
        self.remember(calls)
        print("called", calls)
        return self.linear(x)

    def remember(self, number):
        self.own.add(number)


def state(model):
    return calls, list(seen), list(memory.items), memory.pushed, set(model.own)


def test_an_autopsy_does_not_disturb_what_a_model_counts(tmp_path, capsys):
    model = Counting()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = calls
    with stetho.watch(out=tmp_path, quiet=True) as watching:
        (model(X) * 0).log().mean().backward()
        optimizer.step()
        assert state(model) == (before + 1, [before + 1], [before + 1], 1, {before + 1})
    assert capsys.readouterr().out == f"called {before + 1}\n"
    (fault,) = stetho.open_run(watching.path).model["probes"]["autopsy"]["faults"]
    assert (fault["expression"], fault["repeated"]) == ("log(0)", None)


def test_a_variable_of_an_enclosing_function_is_put_back():
    count, names = 0, {"a": 1}

    class Model(nn.Module):
        def forward(self, x):
            nonlocal count
            count += 1
            names["b"] = count
            return x

    model = Model()
    with Outside([model]).put_back() as outside:
        model(torch.ones(1))
    assert (count, names, outside.lasting) == (0, {"a": 1}, None)


class Tally:
    total = 0

    @staticmethod
    def add():
        Tally.total += 1


class Tallied(nn.Module):
    calls, sizes = 0, []

    def forward(self, x):
        Tallied.calls += 1
        Tallied.latest = x
        self.sizes.append(len(x))
        Tally.total += 1
        return x


def test_what_a_class_has_for_all_of_its_objects_is_put_back():
    model = nn.Sequential(Tallied())
    with Outside([model]).put_back():
        model(torch.ones(3))
        assert (Tallied.calls, Tallied.sizes, Tally.total) == (1, [3], 1)
    assert (Tallied.calls, Tallied.sizes, Tally.total, hasattr(Tallied, "latest")) == (0, [], 0, False)


def test_what_cannot_be_undone_is_named():
    class Model(nn.Module):
        def forward(self, x):
            self.writer.add_scalar("x", x.mean(), 0)
            return x

    assert Outside([Model()]).lasting == "Model.forward uses `add_scalar`"


def test_collections_are_filled_anew_and_stay_the_same():
    for value, changed in (
        ([1, 2], lambda it: it.append(3)),
        ({"a": 1}, lambda it: it.clear()),
        ({1}, lambda it: it.add(2)),
        (deque([1], maxlen=2), lambda it: it.extend([5, 6])),
        (bytearray(b"ab"), lambda it: it.extend(b"c")),
        ([], lambda it: it.append(1)),
    ):
        before, contents = value.copy(), Contents(value)
        changed(value)
        contents.put_back()
        assert value == before


def test_what_a_function_and_the_modules_that_it_uses_keep_is_put_back():
    norm, seen = nn.BatchNorm1d(2), []

    def loss(x):
        seen.append(1)
        return norm(x).sum()

    outside = Outside([], [loss])
    assert outside.modules == [norm]
    with outside.put_back():
        loss(torch.ones(2, 2))
    assert seen == []


def test_operations_of_the_framework_are_nobodys_functions():
    assert not is_own(torch.log)
    assert not is_own(torch.Tensor.log)
    assert is_own(nn.L1Loss().__call__)
