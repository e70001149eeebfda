"""When an autopsy is done, and that it leaves no trace in the training."""

import functools

import pytest
import torch
from torch import nn
from torch.nn import functional

import stetho

from .numerics import X, Y, mlp, steps


def faults(run):
    return run.model.get("probes", {}).get("autopsy", {}).get("faults", [])


def spoiled(model, at, count=6):
    def loss_of(step):
        chances = model(X).softmax(1) if step != at else (model(X) * 1e4).softmax(1)
        return -chances[range(6), Y].log().mean()

    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for step in range(count):
        optimizer.zero_grad()
        loss = loss_of(step)
        loss.backward()
        if torch.isfinite(loss):
            optimizer.step()
        losses.append(loss.item())
    return losses


def test_training_goes_on_bit_for_bit(tmp_path):
    def train(watched):
        torch.manual_seed(3)
        model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 3))
        if watched:
            with stetho.watch(out=tmp_path, quiet=True):
                losses = spoiled(model, at=2)
        else:
            losses = spoiled(model, at=2)
        return losses, [*map(torch.clone, model.state_dict().values())], torch.get_rng_state()

    (bare, weights, random), (losses, watched, state) = train(False), train(True)
    assert str(losses) == str(bare)
    assert all(map(torch.equal, weights, watched))
    assert torch.equal(random, state)


def test_one_fault_is_examined_once(record):
    model = mlp()
    run = record(lambda: steps(model, lambda: (model(X) * 0).log().mean(), count=8), None, None, quiet=True)
    assert [fault["step"] for fault in faults(run)] == [1]


def test_a_second_fault_after_a_recovery_is_another(record):
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def program():
        for step in range(6):
            optimizer.zero_grad()
            out = model(X)
            loss = (out * 0).log().mean() if step == 1 else (out / 0).mean() if step == 3 else out.square().mean()
            loss.backward()
            if torch.isfinite(loss):
                optimizer.step()

    assert [fault["operation"] for fault in faults(record(program, None, None, quiet=True))] == ["log", "div"]


def test_the_same_fault_again_is_no_other(record):
    model = mlp()

    def program():
        spoiled(model, at=1, count=4)
        spoiled(model, at=2, count=4)

    assert len(faults(record(program, None, None, quiet=True))) == 1


def test_a_program_that_cannot_be_run_again_is_told(record):
    class Once(nn.Linear):
        def forward(self, x):
            if self.training and torch.is_tensor(x) and getattr(self, "used", False):
                raise ValueError("only once")
            self.used = True
            return super().forward(x)

    model = Once(4, 3)

    def program():
        model(X).mul(0).log().mean().backward()

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run = record(lambda: (program(), optimizer.step()), None, None, quiet=True)
    assert faults(run)[0]["failed"] == "ValueError: only once"


def test_rows_of_nan_that_nobody_looks_up_are_noticed_and_told_again_when_the_loss_has_them(record):
    def program(last):
        table = nn.Embedding(9, 3)
        optimizer = torch.optim.Adam(table.parameters(), eps=0.0)
        rows = iter([Y, Y, Y, Y + last])
        steps(table, lambda: table(next(rows)).square().mean(), count=4, optimizer=optimizer)

    for last, trigger in ((0, "parameter"), (5, "loss")):
        found = faults(record(functools.partial(program, last), None, None, quiet=True))
        assert [(fault["trigger"], fault["phase"], fault["name"]) for fault in found] == [
            (trigger, "optimizer", "weight")
        ]


def test_nan_that_is_hidden_is_noted(record):
    model = mlp()
    run = record(
        lambda: steps(
            model, lambda: torch.nan_to_num(model(X).detach().mul(-1).abs().neg().log()).sum() + model(X).mean()
        ),
        None,
        None,
        quiet=True,
    )
    (fault,) = faults(run)
    assert (fault["trigger"], fault["operation"]) == ("hidden", "log")


def test_steps_that_a_scaler_skips_all_the_time_are_looked_at(record):
    model = mlp()
    scaler = torch.amp.GradScaler("cpu")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def program():
        for _ in range(12):
            optimizer.zero_grad()
            scaler.scale(torch.sqrt(model(X) * 0).mean()).backward()
            scaler.step(optimizer)
            scaler.update()

    (fault,) = faults(record(program, None, None, quiet=True))
    assert (fault["trigger"], fault["operation"], fault["phase"]) == ("skipped", "sqrt", "backward")


def test_a_scaler_that_finds_its_scale_at_last_is_no_finding(record):
    model = mlp()
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**34)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def program():
        for _ in range(24):
            optimizer.zero_grad()
            scaler.scale(model(X).half().float().square().mean()).backward()
            scaler.step(optimizer)
            scaler.update()

    assert faults(record(program, None, None, quiet=True)) == []
    assert 2.0 < scaler.get_scale() < 2.0 ** (34 - 8)


def test_the_samples_that_cause_it_are_named(record):
    model, x = mlp(), X.clone()
    x[4, 2] = float("inf")
    (fault,) = faults(
        record(lambda: steps(model, lambda: functional.cross_entropy(model(x), Y)), None, None, quiet=True)
    )
    assert (fault["phase"], fault["samples"], fault["index"]) == ("data", [4], [4, 2])


@pytest.mark.parametrize("speed", [51.0, 99.0, 101.0])
def test_every_step_is_kept_where_that_costs_little(record, monkeypatch, speed):
    from stetho.capture.step import Clock

    monkeypatch.setattr(Clock, "_is_close", lambda *_: False)
    monkeypatch.setattr(Clock, "is_slower_than", lambda _, given: speed < given)
    model = mlp()

    def program():
        steps(model, lambda: functional.cross_entropy(model(X), Y))
        steps(model, lambda: (model(X) * 0).log().mean())

    run = record(program, None, None, quiet=True, every=1)
    assert [fault["phase"] for fault in faults(run)] == ["loss" if speed < 100 else "parameter"]


def test_a_fault_in_a_step_that_was_not_kept_is_found_when_it_comes_again(record, monkeypatch):
    from stetho.capture.step import Clock

    monkeypatch.setattr(Clock, "_is_close", lambda *_: False)
    monkeypatch.setattr(Clock, "is_slower_than", lambda *_: False)
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def program():
        for step in range(6):
            optimizer.zero_grad()
            loss = model(X).mean() if step not in (1, 4) else (model(X) * 0).log().mean()
            loss.backward()
            if torch.isfinite(loss):
                optimizer.step()

    run = record(program, None, None, quiet=True, every=1)
    assert [(fault["operation"], fault["phase"]) for fault in faults(run)] == [("log", "loss")]
