"""Optimizers: what they hold, and that each of their steps is counted once."""

import json
import threading

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.optim import Optimizer

from ..conftest import batch, column, mlp, names, sgd, stat, train


@pytest.fixture
def model():
    return mlp()


class Lookahead(Optimizer):
    """An optimizer that steps another one inside."""

    def __init__(self, inner):
        self.inner = inner
        super().__init__(inner.param_groups, {})

    def step(self, closure=None):
        return self.inner.step(closure)


def test_a_step_ends_with_the_step_of_an_optimizer(record, model):
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 4), model, optimizer)
    assert column(run, "step") == [1, 2, 3, 4]
    assert column(run, "optimizer") == [0, 0, 0, 0]
    assert column(run, "lr") == [0.1] * 4
    assert (run.info["steps"], run.info["overhead"]["steps_full"]) == (4, 4)


def test_accumulated_passes_are_one_step(record, model):
    optimizer = sgd(model)

    def program():
        for _ in range(2):
            optimizer.zero_grad()
            for size in (3, 4):
                x, y = batch(size)
                functional.cross_entropy(model(x), y).backward()
            optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "backwards") == column(run, "forwards") == [2, 2]
    assert column(run, "batch_size") == [7, 7]
    losses = column(run, "loss", "batches")
    assert column(run, "loss") == pytest.approx([sum(losses[:2]) / 2, sum(losses[2:]) / 2])
    counted = column(run, "correct", "batches")
    assert column(run, "accuracy") == pytest.approx([sum(counted[:2]) / 7, sum(counted[2:]) / 7])
    assert stat(run, "act.calls", "0") == 2


def test_two_optimizers_take_turns(record):
    one, two = mlp(), mlp()
    first, second = sgd(one), torch.optim.Adam(two.parameters(), lr=0.01)

    def program():
        for _ in range(2):
            train(one, first, 1)
            train(two, second, 1)

    run = record(program, one, [first, second])
    assert column(run, "optimizer") == [0, 1, 0, 1]
    assert column(run, "lr") == pytest.approx([0.1, 0.01, 0.1, 0.01])
    assert run.values("grad.rms", "0.weight")[0].tolist() == [1, 3]
    assert run.values("grad.rms", "0.weight", model=1)[0].tolist() == [2, 4]
    assert [one["class"] for one in run.model["optimizers"]] == ["SGD", "Adam"]
    assert [(one["label"], one["trained"]) for one in run.model["models"]] == [("Sequential", True), ("model", True)]


@pytest.mark.parametrize("positional", [True, False])
def test_the_passes_of_a_closure_belong_to_the_step_that_runs_it(record, model, positional):
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=3)
    x, y = batch()
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x), y)
        loss.backward()
        losses.append(loss.item())
        return loss

    def program():
        optimizer.step(closure) if positional else optimizer.step(closure=closure)

    run = record(program, model, optimizer)
    assert column(run, "step") == [1]
    assert column(run, "backwards") == [len(losses)] != [1]
    assert column(run, "loss") == pytest.approx(losses[:1])
    assert stat(run, "grad.rms", "0.weight") > 0
    assert stat(run, "update.rms", "0.weight") > 0
    assert stat(run, "param.calls", "0.weight") == 1


def test_a_closure_of_an_optimizer_without_a_line_search(record, model):
    optimizer = sgd(model)

    def closure():
        loss = model(batch()[0]).square().mean()
        loss.backward()
        return loss

    run = record(lambda: optimizer.step(closure), model, optimizer)
    assert (column(run, "step"), column(run, "forwards")) == ([1], [1])
    assert names(run, "grad") == ["0.weight", "0.bias", "2.weight", "2.bias"]


def test_a_training_in_another_thread_leaves_a_step_under_way_alone(record, model):
    other = mlp()

    class Slow(torch.optim.SGD):
        def step(self, closure=None):
            thread = threading.Thread(target=train, args=(other, sgd(other), 2))
            thread.start()
            thread.join()
            return super().step(closure)

    optimizer = Slow(model.parameters(), lr=0.1)
    run = record(lambda: train(model, optimizer, 3), model, optimizer)
    assert column(run, "step") == [1, 2, 3]
    assert column(run, "backwards") == [1, 1, 1]
    assert len(column(run, "loss")) == 3


def test_trainings_in_one_thread_after_another_are_all_counted(record, model):
    optimizer = sgd(model)

    def program():
        for _ in range(2):
            thread = threading.Thread(target=train, args=(model, optimizer, 2))
            thread.start()
            thread.join()

    assert column(record(program, model, optimizer), "step") == [1, 2, 3, 4]


def test_an_optimizer_inside_of_another_makes_no_step_of_its_own(record, model):
    inner = sgd(model)
    outer = Lookahead(inner)
    run = record(lambda: train(model, outer, 3), model, outer)
    assert column(run, "step") == [1, 2, 3]
    assert [run.model["optimizers"][at]["class"] for at in set(column(run, "optimizer"))] == ["Lookahead"]
    assert run.values("update.calls", "0.weight")[1].tolist() == [1, 1, 1]


def test_an_optimizer_that_is_found_when_it_steps_makes_no_step_twice(record, model):
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 3), model)
    assert column(run, "step") == [1, 2, 3]
    assert run.values("param.calls", "0.weight")[0].tolist() == [1, 2, 3]
    assert run.notes == []


def test_a_step_that_raised_does_not_hide_those_of_others(record):
    one, two = mlp(), mlp()
    broken, working = sgd(one), sgd(two)

    def program():
        def closure():
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            broken.step(closure)
        train(two, working, 2)

    run = record(program, one, [broken, working])
    assert column(run, "optimizer") == [1, 1]


def test_a_step_that_raised_can_be_tried_again(record, model):
    optimizer = sgd(model)

    def program():
        def closure():
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            optimizer.step(closure)
        train(model, optimizer, 2)

    assert column(record(program, model, optimizer), "step") == [1, 2]


def test_groups_have_their_settings_and_names(record, model):
    optimizer = torch.optim.AdamW(
        [{"params": model[0].parameters(), "lr": 0.5}, {"params": [model[2].weight], "weight_decay": 0.0}],
        lr=torch.tensor(0.25),
        betas=(0.8, 0.9),
    )
    run = record(lambda: train(model, optimizer, 1), model, optimizer)
    first, second = run.model["optimizers"][0]["groups"]
    assert (first["parameters"], second["parameters"]) == (["0.weight", "0.bias"], ["2.weight"])
    assert (first["lr"], second["lr"], second["weight_decay"], first["betas"]) == (0.5, 0.25, 0.0, [0.8, 0.9])
    assert column(run, "lrs") == [[0.5, 0.25]]


def test_the_line_of_an_optimizer_is_where_it_was_made(record, model):
    def program():
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        train(model, optimizer, 1)

    assert record(program, model).model["optimizers"][0]["line"].startswith(__file__)


def test_loose_parameters_are_called_what_the_program_calls_them(record):
    def program():
        slope = torch.ones(1, requires_grad=True)
        offset = torch.zeros(1, requires_grad=True)
        many = [torch.ones(2, requires_grad=True) for _ in range(2)]
        optimizer = torch.optim.SGD([slope, offset, *many], lr=0.1)
        (slope * 2 + offset + sum(one.sum() for one in many)).sum().backward()
        optimizer.step()

    run = record(program)
    assert names(run, "grad") == ["slope", "offset", "parameter0", "parameter1"]
    assert run.model["models"][0]["label"] == "parameters"
    assert run.model["optimizers"][0]["groups"][0]["parameters"] == names(run, "grad")


def test_loose_parameters_of_an_optimizer_made_before_have_their_names_too(record):
    slope = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([slope], lr=0.1)

    def program():
        slope.sum().backward()
        optimizer.step()

    # `record` calls `watch` in a frame of its own, which does not know the name.
    assert names(record(program, None, optimizer), "grad") == ["parameter0"]
    assert names(record(program), "grad") == ["slope"]


def test_loose_parameters_of_two_optimizers_are_told_apart(record):
    def program():
        optimizers = [torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1) for _ in range(2)]
        for optimizer in optimizers:
            optimizer.param_groups[0]["params"][0].sum().backward()
            optimizer.step()

    assert names(record(program), "grad") == ["parameter0", "parameter1"]


def test_an_optimizer_that_is_gone_is_still_described(record, model):
    def program():
        train(model, sgd(model), 2)

    (optimizer,) = record(program, model).model["optimizers"]
    assert (optimizer["class"], len(optimizer["groups"])) == ("SGD", 1)


def test_parameters_added_later_are_measured(record, model):
    def program():
        optimizer = torch.optim.SGD(model[0].parameters(), lr=0.1)
        train(model, optimizer, 1)
        optimizer.add_param_group({"params": model[2].parameters()})
        train(model, optimizer, 1)

    run = record(program, model)
    assert run.values("update.rms", "2.weight")[0].tolist() == [2]


def test_times_of_the_step_add_up_to_less_than_the_whole(record, model):
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 5), model, optimizer)
    for row in run.table("steps").to_pylist():
        parts = [row[f"{part}_seconds"] for part in ("data", "forward", "backward", "optimizer", "ours")]
        assert all(part >= 0 for part in parts)
        assert row["forward_seconds"] > 0 < row["backward_seconds"]
        assert sum(parts) <= row["seconds"] * 1.01


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4).requires_grad_(False)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))


def test_frozen_parameters_that_no_optimizer_holds_are_described_and_not_measured(record):
    model = Frozen()
    optimizer = sgd(model.head)
    run = record(lambda: train(model, optimizer, 1), model, optimizer)
    assert names(run, "param") == ["head.weight", "head.bias"]
    assert "body" in names(run)
    assert names(run, "act_grad") == ["head", ""] or set(names(run, "act_grad")) == {"", "head"}


def test_an_optimizer_that_is_made_anew_in_each_step_is_one_optimizer(record, model):
    def program():
        for _ in range(6):
            train(model, sgd(model), 1)

    run = record(program, model)
    (facts,) = json.loads((run.path / "model.json").read_text())["optimizers"]
    assert (facts["remade"], column(run, "optimizer")) == (5, [0] * 6)


def test_a_model_that_is_trained_later_is_looked_at_from_its_first_steps(record, model):
    later = mlp()

    def program():
        train(model, sgd(model), 40)
        train(later, sgd(later), 10)

    run = record(program, model, grace_steps=5, grace_seconds=0.0, budget=1e-9)
    full = [step for step, tier in zip(column(run, "step"), column(run, "tier"), strict=True) if tier == "full"]
    assert full[:5] == [1, 2, 3, 4, 5]
    assert [step for step in full if 40 < step <= 46][-4:] == [43, 44, 45, 46]


def test_another_optimizer_of_the_same_parameters_is_looked_at_from_its_first_steps(record, model):
    def program():
        train(model, sgd(model), 40)
        train(model, sgd(model[-1]), 10)

    run = record(program, model, grace_steps=5, grace_seconds=0.0, budget=1e-9)
    full = [step for step, tier in zip(column(run, "step"), column(run, "tier"), strict=True) if tier == "full"]
    assert [step for step in full if 40 < step <= 46][-4:] == [43, 44, 45, 46]
