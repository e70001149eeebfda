"""Compiled models: recorded at their boundary, compiled no more often than without us, and that is said."""

import gc
import itertools
import warnings
import weakref

import pytest
import torch
from torch import nn
from torch._dynamo.utils import counters
from torch.nn.parallel import DataParallel

import stetho
from stetho.capture.step import Clock
from stetho.store.reader import open_run

from ..conftest import batch, column, evaluate, mlp, names, sgd, stat, train

# The compiler looks at tensors in a way that its own framework warns of.
pytestmark = pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning")


@pytest.fixture(autouse=True)
def fresh_compiler():
    torch._dynamo.reset()
    counters.clear()
    yield
    torch._dynamo.reset()


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def compiled(model):
    return torch.compile(model, backend="eager")


def graphs():
    return counters["stats"]["unique_graphs"]


def test_a_compiled_model_is_recorded_at_its_boundary(record, model, optimizer):
    run = record(lambda: train(compiled(model), optimizer, 4), model, optimizer, every=2)
    assert names(run) == names(run, "act_grad") == [""]
    assert run.values("act.rms", "")[0].tolist() == [1, 3]
    assert column(run, "forwards") == [1] * 4
    assert names(run, "param") == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert graphs() == 1, "hooks that come and go would compile it again"
    assert [note["kind"] for note in run.notes] == ["compiled"]
    (described,) = run.model["models"]
    assert (described["compiled"], described["wrapper"]) == (True, "OptimizedModule")
    assert [layer["name"] for layer in described["layers"]] == ["", "0", "1", "2"]


@pytest.mark.parametrize("given", ["the model", "what was compiled", "nothing"])
def test_a_model_that_was_compiled_before_is_recorded_too_and_that_is_said(record, model, optimizer, given):
    made = compiled(model)
    subject = {"the model": model, "what was compiled": made, "nothing": None}[given]

    def program():
        with warnings.catch_warnings():
            # Without the native kernel, a model that nobody told us of is found by global hooks.
            warnings.filterwarnings("ignore", ".*global hooks")
            train(made, optimizer, 3)

    run = record(program, subject, optimizer)
    assert column(run, "forwards") == [1, 1, 1]
    assert run.values("act.calls", "")[1].tolist() == [1, 1, 1]
    assert [note["kind"] for note in run.notes] == ["compiled", "compiled before"]
    assert [(one["compiled"], one["label"]) for one in run.model["models"] if one["layers"]] == [
        (True, "Sequential")
    ] or (given == "nothing")


@pytest.mark.parametrize("when", ["before", "under watch"])
def test_a_model_that_is_compiled_in_place_is_recorded_at_its_boundary(record, model, optimizer, when):
    if when == "before":
        model.compile(backend="eager")
    before = model._compiled_call_impl

    def program():
        if when != "before":
            model.compile(backend="eager")
        train(model, optimizer, 3)

    run = record(program, model, optimizer)
    assert column(run, "forwards") == [1, 1, 1]
    assert run.values("act.calls", "")[1].tolist() == [1, 1, 1]
    assert run.model["models"][0]["compiled"]
    assert "stetho" not in model._compiled_call_impl.__code__.co_filename
    if when == "before":
        assert model._compiled_call_impl is before
    assert graphs() == 1


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("when", ["before", "under watch"])
def test_a_compiled_part_is_one_layer_of_the_model(record, model, optimizer, in_place, when):
    def compile_part():
        if in_place:
            model[0].compile(backend="eager")
        else:
            model[0] = compiled(model[0])

    if when == "before":
        compile_part()

    def program():
        if when != "before":
            compile_part()
        train(model, optimizer, 2)

    run = record(program, model, optimizer)
    assert sorted(names(run)) == ["", "0", "1", "2"]
    assert run.values("act.calls", "0")[1].tolist() == [1, 1]
    assert names(run, "param") == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert [one["compiled"] for one in run.model["models"]] == [True]
    assert graphs() == 1


def test_a_part_that_is_compiled_while_the_model_is_built_has_its_name(record):
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = compiled(nn.Linear(4, 4))
            self.head = compiled(nn.Linear(4, 2))

        def forward(self, x):
            return self.head(torch.tanh(self.body(x)))

    def program():
        model = Net()
        train(model, sgd(model), 2)

    run = record(program)
    found = next(one["id"] for one in run.model["models"] if one["class"] == "Net")
    assert set(names(run, model=found)) == {"", "body", "head"}
    assert set(names(run, "param", model=found)) == {"body.weight", "body.bias", "head.weight", "head.bias"}


def test_evaluations_are_recorded_at_the_boundary_too(record, model, optimizer):
    def program():
        made = compiled(model)
        train(made, optimizer, 2)
        evaluate(made)

    run = record(program, model, optimizer)
    assert names(run, phase="eval") == [""]


def test_eager_shows_the_layers_inside(record, model, optimizer):
    def program():
        model[0] = compiled(model[0])
        train(compiled(model), optimizer, 2)

    run = record(program, model, optimizer, eager=True)
    assert sorted(names(run)) == ["", "0", "1", "2"]
    assert run.values("act.calls", "0")[1].tolist() == [1, 1]
    assert graphs() == 0
    assert run.notes == []
    assert [one["compiled"] for one in run.model["models"]] == [False]


def test_eager_ends_with_the_watch(tmp_path, model):
    with stetho.watch(out=tmp_path, eager=True):
        pass
    compiled(model)(batch()[0])
    assert graphs() == 1


def test_a_compiled_function_that_is_no_module_does_no_harm(record, model, optimizer):
    def program():
        scaled = torch.compile(lambda x: x * 2, backend="eager")
        scaled(model(batch()[0])).sum().backward()
        optimizer.step()

    run = record(program, model, optimizer)
    assert sorted(names(run)) == ["", "0", "1", "2"]
    assert stat(run, "act.calls", "0") == 1


def test_a_wrapped_compiled_model_is_recorded_once(record, model, optimizer):
    run = record(lambda: train(DataParallel(compiled(model)), optimizer, 2), model, optimizer)
    assert run.values("act.calls", "")[1].tolist() == [1, 1]


def test_values_are_those_of_the_bare_program(tmp_path):
    def result():
        torch.manual_seed(0)
        model = mlp()
        train(compiled(model), sgd(model), 3)
        return [parameter.tolist() for parameter in model.parameters()]

    bare = result()
    with stetho.watch(every=1, out=tmp_path):
        assert result() == bare


def test_a_model_compiled_in_place_dies_when_the_program_drops_it(tmp_path):
    with stetho.watch(out=tmp_path):
        model = mlp()
        model.compile(backend="eager")
        train(model, sgd(model), 1)
        reference = weakref.ref(model)
        del model
        torch._dynamo.reset()
        gc.collect()
        assert reference() is None


def test_a_watch_without_training_says_nothing_of_a_model(tmp_path, model):
    with stetho.watch(out=tmp_path) as watch:
        compiled(model)
    assert watch.path is None or open_run(watch.path).info["steps"] == 0


@pytest.mark.parametrize("slow", [(True,), (False,), (True, False)], ids=["slow", "fast", "now and then"])
def test_a_compiled_loss_is_compiled_once_though_the_operations_around_it_are_followed(
    record, model, optimizer, monkeypatch, slow
):
    speeds = itertools.cycle(slow)
    monkeypatch.setattr(Clock, "is_slower_than", lambda *_: next(speeds))

    def program():
        distance = torch.compile(lambda out, target: (out - target).square().mean(), backend="eager")
        criterion = torch.compile(nn.L1Loss(), backend="eager")
        in_place = nn.SmoothL1Loss()
        in_place.compile(backend="eager")
        ready = compiled(model)
        for _ in range(4):
            optimizer.zero_grad()
            out = ready(batch()[0])
            target = torch.zeros_like(out)
            (distance(out, target) + criterion(out, target) + in_place(out, target)).backward()
            optimizer.step()

    record(program, model, optimizer, every=2)
    assert graphs() == 4, "a mode that comes and goes would compile them again"
