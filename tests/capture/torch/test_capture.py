"""Everything together: installed, at work in every tier, and taken away again."""

import gc
import weakref

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.optim import Optimizer
from torch.utils.data import DataLoader

import stetho
from stetho.capture.torch.capture import TorchCapture, device_memory
from stetho.records import StepsReached
from stetho.store.reader import open_run

from .conftest import batch, column, evaluate, global_hooks, mlp, names, sgd, train

PATCHED = [
    (torch, "compile"),
    (torch.autograd, "backward"),
    (torch.jit, "script"),
    (functional, "cross_entropy"),
    (nn.Module, "__init__"),
    (nn.Module, "zero_grad"),
    (nn.Module, "load_state_dict"),
    (nn.Module, "compile"),
    (nn.utils, "clip_grad_norm_"),
    (Optimizer, "__init__"),
    (Optimizer, "zero_grad"),
    (torch.optim.lr_scheduler.LRScheduler, "step"),
    (torch.amp.GradScaler, "scale"),
    (torch.amp.GradScaler, "step"),
    (DataLoader, "__iter__"),
]


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def test_every_patch_is_taken_back(tmp_path, model, optimizer):
    before = [vars(owner)[name] for owner, name in PATCHED]
    with stetho.watch(model, optimizer, out=tmp_path):
        assert all(vars(owner)[name] is not one for (owner, name), one in zip(PATCHED, before, strict=True))
        train(model, optimizer, 1)
    assert [vars(owner)[name] for owner, name in PATCHED] == before
    assert global_hooks() == []


def test_nothing_of_ours_stays_in_memory(tmp_path, model, optimizer):
    with stetho.watch(model, optimizer, out=tmp_path):
        train(model, optimizer, 2)
        found = weakref.ref(next(one for one in gc.get_objects() if type(one) is TorchCapture))
    gc.collect()
    assert found() is None


def test_each_tier_records_its_share(record, model, optimizer, monkeypatch):
    tiers = ["full", "cheap", "clock", "full"]
    monkeypatch.setattr("stetho.capture.budget.Budget.choose", lambda _, step: tiers[(step - 1) % 4])
    run = record(lambda: train(model, optimizer, 4), model, optimizer)
    assert column(run, "tier") == tiers
    assert run.info["overhead"] | {"seconds": 0, "share": 0, "worked": 0} == {
        "seconds": 0,
        "share": 0,
        "worked": 0,
        "steps_full": 2,
        "steps_cheap": 1,
        "steps_clock": 1,
        "steps_asleep": 0,
    }
    assert run.values("act.rms", "0")[0].tolist() == run.values("update.rms", "0.weight")[0].tolist() == [1, 4]
    assert [norm is not None for norm in column(run, "grad_norm")] == [True, True, False, True]
    assert [accuracy is not None for accuracy in column(run, "accuracy")] == [True, True, False, True]
    assert all(loss is not None for loss in column(run, "loss"))
    assert column(run, "order") == ["zero_grad forward backward step"] * 4


def test_every_so_many_steps_are_full(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 7), model, optimizer, every=3)
    assert column(run, "tier") == ["full", "cheap", "cheap", "full", "cheap", "cheap", "full"]


def test_the_number_of_steps_can_be_limited(tmp_path, model, optimizer):
    with pytest.raises(StepsReached), stetho.watch(model, optimizer, steps=3, out=tmp_path) as watch:
        train(model, optimizer, 10)
    run = open_run(watch.path)
    assert column(run, "step") == [1, 2, 3]
    assert (run.info["exit"]["kind"], run.info["exit"]["code"]) == ("steps reached", 0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 2)

    def forward(self, x, y):
        if x.shape[0] == 1:
            raise RuntimeError("too small")
        return functional.cross_entropy(self.inner(x), y)


def of_class(run, kind):
    """The number of the model of that class."""
    return next(one["id"] for one in run.model["models"] if one["class"] == kind)


def scripted():
    with pytest.warns(DeprecationWarning, match="torch.jit.script"):
        return torch.jit.script(Net())


def test_a_scripted_model_is_recorded_at_its_boundary(record, model):
    other = sgd(model)

    def program():
        made = scripted()
        optimizer = torch.optim.SGD(made.parameters(), lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            made(*batch()).backward()
            optimizer.step()
        with pytest.raises(torch.jit.Error, match="too small"):
            made(*batch(1))
        train(model, other, 1)

    run = record(program)
    assert column(run, "forwards") == [1, 1, 2]
    assert {one.name for one in run.series if one.role == "grad"} >= {"inner.weight", "inner.bias"}
    found = of_class(run, "RecursiveScriptModule")
    assert names(run, model=found) == [""]
    assert run.values("act.calls", "", model=found)[0].tolist() == [1, 2]
    assert names(run, model=of_class(run, "Sequential")) == ["0", "1", "2", ""], "a pass that raised is over"
    assert functional.cross_entropy.__module__ == "torch.nn.functional"


def test_a_scripted_part_is_a_layer(record):
    def program():
        part = torch.jit.script(nn.Linear(4, 3))
        model = nn.Sequential(part, nn.Linear(3, 2))
        train(model, sgd(model), 2)

    with pytest.warns(DeprecationWarning, match="torch.jit.script"):
        run = record(program)
    found = of_class(run, "Sequential")
    assert names(run, model=found) == ["0", "1", ""]
    assert run.values("act.calls", "0", model=found)[1].tolist() == [1, 1]


def test_scripting_fails_as_it_does_without_us(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        with pytest.raises(TypeError):
            torch.jit.script()
        train(model, optimizer, 1)

    assert column(record(program, model, optimizer), "loss_call", "batches") == ["cross_entropy"] * 2


def test_epochs_are_announced_once(tmp_path, model, optimizer):
    heard = []

    class Listening(stetho.Callback):
        def on_epoch_begin(self, epoch):
            heard.append(("begin", epoch))

        def on_epoch_end(self, epoch):
            heard.append(("end", epoch))

    loader = DataLoader(list(zip(*batch(4), strict=True)), batch_size=2)
    with stetho.watch(model, optimizer, out=tmp_path, callbacks=Listening()):
        for _ in range(2):
            for x, y in loader:
                functional.cross_entropy(model(x), y).backward()
                optimizer.step()
            evaluate(model)
    assert heard == [("begin", 1), ("end", 1), ("begin", 2), ("end", 2)]


def test_on_a_machine_without_an_accelerator_none_is_touched():
    assert device_memory() == {}
    assert not torch.cuda.is_initialized()


@pytest.mark.parametrize(
    "options", [{}, {"every": 1, "dump": "*@1-3", "print": "*", "memory": True, "tensorboard": True, "verbose": 2}]
)
def test_the_training_is_the_same_bit_by_bit(tmp_path, options):
    def result():
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.ReLU(inplace=True), nn.Linear(8, 2))
        optimizer = torch.optim.Adam(model.parameters())
        train(model, optimizer, 5)
        return [parameter.tolist() for parameter in model.parameters()], torch.get_rng_state().tolist()

    bare = result()
    with stetho.watch(out=tmp_path, **options):
        assert result() == bare


def test_a_dry_run_makes_one_step_of_every_optimizer_and_looks_at_all_of_it(tmp_path):
    one, two = mlp(), mlp()
    optimizers = [sgd(one), sgd(two)]

    def alternate():
        for _ in range(10):
            train(one, optimizers[0], 3)
            train(two, optimizers[1], 1)

    with pytest.raises(StepsReached), stetho.watch(None, optimizers, dry_run=True, every=0, out=tmp_path) as watch:
        alternate()
    run = open_run(watch.path)
    assert column(run, "optimizer") == [0, 0, 0, 1]
    assert set(column(run, "tier")) == {"full"}


class Endless(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.is_endless = True

    def forward(self, x):
        x = self.inner(x)
        return self(x) if self.is_endless else x


def test_a_program_whose_stack_runs_over_is_watched_on(record):
    model = Endless()
    optimizer = sgd(model)

    def program():
        with pytest.raises(RecursionError):
            model(torch.ones(2, 4))
        model.is_endless = False
        train(model, optimizer, 4)

    # The fixture would tell of an error of ours.
    run = record(program, model, optimizer)
    assert column(run, "step") == [1, 2, 3, 4]
    assert None not in column(run, "loss")
