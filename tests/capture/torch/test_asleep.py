"""Steps that are slept through: they are counted, cost nothing, and hide nothing that matters."""

import pytest
import torch
from torch.nn import functional

import stetho
from stetho.capture.budget import Budget
from stetho.records import StepsReached
from stetho.store.reader import open_run

from .conftest import batch, column, evaluate, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


@pytest.fixture
def three_of_four(monkeypatch):
    """The first, fifth, ninth … step is seen, the others are slept through."""

    def choose(budget, step):
        budget.wake_after = 0.0
        return "clock" if step % 4 == 1 or not budget.may_sleep else "asleep"

    monkeypatch.setattr(Budget, "choose", choose)


@pytest.mark.usefixtures("three_of_four")
def test_steps_are_counted_and_only_those_seen_have_a_row(record, model, optimizer):
    run = record(lambda: train(model, optimizer, 10), model, optimizer)
    assert column(run, "step") == [1, 5, 9]
    assert column(run, "order") == ["zero_grad forward backward step"] * 3
    assert run.info["steps"] == 10
    assert run.info["overhead"]["steps_asleep"] == 7


def test_a_sleep_lasts_as_long_as_the_budget_says(record, model, optimizer, monkeypatch):
    def choose(budget, step):
        budget.wake_after = 1e9
        return "clock" if step == 1 else "asleep"

    monkeypatch.setattr(Budget, "choose", choose)
    run = record(lambda: train(model, optimizer, 10), model, optimizer)
    assert column(run, "step") == [1]
    assert run.info["steps"] == 10


@pytest.mark.usefixtures("three_of_four")
def test_an_evaluation_wakes_us(record, model, optimizer):
    def program():
        train(model, optimizer, 2)
        evaluate(model)
        train(model, optimizer, 4)

    run = record(program, model, optimizer)
    seen = zip(column(run, "phase", "batches"), column(run, "step", "batches"), strict=True)
    assert ("eval", 2) in list(seen)
    assert column(run, "step") == [1, 5]


@pytest.mark.usefixtures("three_of_four")
def test_a_step_in_which_we_woke_has_no_row(record, model, optimizer):
    def program():
        train(model, optimizer, 1)
        x, y = batch()
        optimizer.zero_grad()
        with torch.no_grad():
            model(x)
        functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        train(model, optimizer, 3)

    run = record(program, model, optimizer)
    assert column(run, "step") == [1, 5]


@pytest.mark.usefixtures("three_of_four")
def test_both_of_two_optimizers_are_counted(record, model):
    two = [sgd(model[0]), sgd(model[2])]

    def program():
        for _ in range(4):
            for optimizer in two:
                x, y = batch()
                optimizer.zero_grad()
                functional.cross_entropy(model(x), y).backward()
                optimizer.step()

    assert record(program, model, two).info["steps"] == 8


@pytest.mark.usefixtures("three_of_four")
def test_the_program_stops_at_the_number_of_steps_it_was_given(tmp_path, model, optimizer):
    with pytest.raises(StepsReached), stetho.watch(model, optimizer, steps=3, out=tmp_path) as watch:
        train(model, optimizer, 10)
    assert open_run(watch.path).info["steps"] == 3


@pytest.mark.usefixtures("three_of_four")
def test_a_callback_hears_of_every_step(tmp_path, model, optimizer):
    heard = []

    class Listener(stetho.Callback):
        def on_step_end(self, step, row):  # noqa: ARG002
            heard.append(step)

    with stetho.watch(model, optimizer, out=tmp_path, callbacks=Listener()):
        train(model, optimizer, 9)
    # The second was chosen before anybody heard of the first.
    assert heard == [1, *range(3, 10)]


@pytest.mark.usefixtures("three_of_four")
def test_who_updates_by_hand_is_seen_at_every_step(record, model):
    def program():
        for _ in range(6):
            x, y = batch()
            loss = functional.cross_entropy(model(x), y)
            loss.backward()
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter -= 0.1 * parameter.grad
                    parameter.grad = None

    assert record(program, model).info["steps"] == 6
