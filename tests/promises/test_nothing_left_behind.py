"""When a watch ends, torch, the model and the process are as they were, and nothing holds on to the user's tensors."""

import copy
import gc
import io
import json
import os
import sys
import threading
import weakref
from types import ModuleType

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import stetho

OPTIONS = {"every": 1, "dump": "*@1-2", "print": "*", "memory": True, "tensorboard": True, "verbose": 1}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 8)
        self.act = nn.ReLU(inplace=True)
        self.second = nn.Linear(8, 2)

    def forward(self, x):
        return self.second(self.act(self.first(x)))


def make():
    torch.manual_seed(0)
    model = Net()
    return model, torch.optim.Adam(model.parameters(), lr=0.01)


def train(model, optimizer, batches=4):
    loader = DataLoader(TensorDataset(torch.randn(8 * batches, 6), torch.randint(2, (8 * batches,))), batch_size=8)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    with torch.no_grad():
        model.eval()(x)
    model.train()


@pytest.fixture
def watched(tmp_path):
    """Watches with every option on: `with watched(model, optimizer):`; an error of ours on the way fails the test."""
    yield lambda *subjects: stetho.watch(*subjects, out=str(tmp_path), **OPTIONS)
    runs = list(tmp_path.glob("*/run.json"))
    assert runs
    for file in runs:
        assert json.loads(file.read_text())["capture_error"] is None


def callables_of_torch():
    """Every function and class that torch is made of, by the place where it is found."""
    found = {}
    modules = [(name, module) for name, module in sys.modules.items() if name.partition(".")[0] == "torch"]
    for name, module in modules:
        if not isinstance(module, ModuleType):
            continue
        for key, value in list(vars(module).items()):
            if callable(value):
                found[name, key] = value
            if issubclass(type(value), type):  # isinstance would wake what warns about its own age
                members = vars(value).items()
                found.update({(name, key, member): each for member, each in members if callable(each)})
    return found


def hooks_of(model):
    return {
        (name, kind): dict(value)
        for name, module in model.named_modules()
        for kind, value in vars(module).items()
        if "hooks" in kind and value
    }


def global_hooks():
    from torch.nn.modules import module
    from torch.optim import optimizer

    homes = {**vars(module), **vars(optimizer)}
    return {name: dict(value) for name, value in homes.items() if name.startswith("_global_") and "hooks" in name}


def open_files():
    places = []
    for number in os.listdir("/proc/self/fd"):
        try:
            places.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            continue
    return sorted(place for place in places if place.startswith("/"))


def state_of_process():
    return [thread.name for thread in threading.enumerate()], open_files(), list(sys.meta_path), sys.excepthook


def test_torch_and_the_process_are_as_they_were(watched):
    model, optimizer = make()
    train(model, optimizer)  # whatever torch imports lazily is there now
    with watched(model, optimizer):
        train(model, optimizer)
    torch_before, hooks_before, process_before = callables_of_torch(), global_hooks(), state_of_process()
    with watched(model, optimizer) as watch:
        assert callables_of_torch() != torch_before
        train(model, optimizer)
        train(*make())

    torch_after = callables_of_torch()
    assert [place for place, value in torch_before.items() if torch_after.get(place) is not value] == []
    assert global_hooks() == hooks_before
    assert state_of_process() == process_before
    assert hooks_of(model) == {}
    assert json.loads((watch.path / "run.json").read_text())["steps"] == 8


def test_instances_of_the_user_carry_nothing_of_ours(watched):
    model, optimizer = make()
    train(model, optimizer)
    attributes = [set(vars(thing)) for thing in (model, model.first, model.first.weight, optimizer)]
    with watched(model, optimizer):
        train(model, optimizer)
    assert [set(vars(thing)) for thing in (model, model.first, model.first.weight, optimizer)] == attributes
    assert model.first.weight._backward_hooks is None
    assert model.first.weight._post_accumulate_grad_hooks is None


def test_a_watch_that_ends_by_an_exception_leaves_nothing_either(watched):
    model, optimizer = make()
    train(model, optimizer)
    with watched(model, optimizer):  # whatever we import lazily is there now
        train(model, optimizer)
    torch_before, hooks_before, process_before = callables_of_torch(), global_hooks(), state_of_process()

    def fail():
        with watched(model, optimizer):
            train(model, optimizer)
            model.second.register_forward_hook(lambda *_: 1 / 0)
            model(torch.ones(1, 6))

    with pytest.raises(ZeroDivisionError):
        fail()
    model.second._forward_hooks.clear()
    torch_after = callables_of_torch()
    assert [place for place, value in torch_before.items() if torch_after.get(place) is not value] == []
    assert (global_hooks(), state_of_process(), hooks_of(model)) == (hooks_before, process_before, {})


def test_stop_ends_a_watch_without_a_block(watched):
    model, optimizer = make()
    hooks_before = global_hooks()
    watch = watched(model, optimizer)
    train(model, optimizer)
    watch.stop()
    watch.stop()
    assert (global_hooks(), hooks_of(model)) == (hooks_before, {})


def test_copies_and_checkpoints_made_under_watch_are_those_of_the_bare_model(watched):
    def copies():
        model, optimizer = make()
        train(model, optimizer)
        file = io.BytesIO()
        torch.save(model, file)
        file.seek(0)
        return copy.deepcopy(model), copy.copy(model), torch.load(file, weights_only=False)

    bare = copies()
    with watched():
        under_watch = copies()
    for expected, made in zip(bare, under_watch, strict=True):
        assert hooks_of(made) == {}
        assert [sorted(vars(module)) for module in made.modules()] == [
            sorted(vars(each)) for each in expected.modules()
        ]
        assert all(torch.equal(one, other) for one, other in zip(made.parameters(), expected.parameters(), strict=True))


class Traces:
    """Weak references to what came along in a step."""

    def __init__(self, model):
        self.references = []
        for module in model.modules():
            module.register_forward_hook(lambda _, args, output: self.note(*args, output))

    def note(self, *things):
        self.references += [weakref.ref(thing) for thing in things]

    def alive(self):
        return sum(reference() is not None for reference in self.references)


def step_in_a_function(model, optimizer, traces):
    x, y = torch.randn(8, 6), torch.randint(2, (8,))
    output = model(x)
    loss = nn.functional.cross_entropy(output, y)
    traces.note(x, y, output, loss)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def steps_in_a_loop(model, optimizer, traces):
    alive = []
    for _ in range(4):
        x, y = torch.randn(8, 6), torch.randint(2, (8,))
        output = model(x)
        loss = nn.functional.cross_entropy(output, y)
        traces.note(x, y, output, loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        del x, y, output, loss
        alive.append(traces.alive())
    return alive


@pytest.fixture
def without_collector():
    """What dies, dies because nobody holds it, not because a cycle was found."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
def test_tensors_of_a_step_die_with_the_step_as_they_do_bare(watched):
    model, optimizer = make()
    traces = Traces(model)
    step_in_a_function(model, optimizer, traces)
    assert traces.alive() == 0
    with watched(model, optimizer):
        for _ in range(3):
            step_in_a_function(model, optimizer, traces)
            assert traces.alive() == 0


@pytest.mark.usefixtures("without_collector")
def test_tensors_die_where_a_loop_deletes_them_as_they_do_bare(watched):
    model, optimizer = make()
    traces = Traces(model)
    assert steps_in_a_loop(model, optimizer, traces) == [0, 0, 0, 0]
    with watched(model, optimizer):
        assert steps_in_a_loop(model, optimizer, traces) == [0, 0, 0, 0]
        with torch.no_grad():
            output = model.eval()(torch.ones(3, 6))
        traces.note(output)
        del output
        assert traces.alive() == 0


def test_models_optimizers_and_gradients_die_after_the_watch(watched):
    model, optimizer = make()
    with watched(model, optimizer):
        train(model, optimizer)
        other, other_optimizer = make()
        train(other, other_optimizer)
        references = [weakref.ref(each) for each in (model, optimizer, other, other_optimizer, other.first)]
        references += [weakref.ref(each) for each in (*model.parameters(), *other.parameters())]
        references += [weakref.ref(each.grad) for each in model.parameters()]
    del model, optimizer, other, other_optimizer
    gc.collect()
    assert [reference() for reference in references if reference() is not None] == []


def test_a_model_that_the_program_drops_dies_under_watch(watched):
    with watched():
        model, optimizer = make()
        train(model, optimizer)
        references = [weakref.ref(each) for each in (model, optimizer, *model.parameters())]
        del model, optimizer
        gc.collect()
        assert [reference() for reference in references if reference() is not None] == []
