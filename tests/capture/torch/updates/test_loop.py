"""The events of a training loop, however its functions are called."""

from pathlib import Path

import pytest
import torch
from torch import nn
from torch.optim import lr_scheduler

from ..conftest import batch, column, mlp, sgd, train


@pytest.fixture
def model():
    return mlp()


@pytest.fixture
def optimizer(model):
    return sgd(model)


def backward(model):
    model(batch()[0]).square().mean().backward()


def test_events_are_in_the_order_in_which_they_happened(record, model, optimizer):
    def program():
        optimizer.zero_grad()
        backward(model)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.step()
        backward(model)
        optimizer.step()
        model.zero_grad()

    run = record(program, model, optimizer)
    assert column(run, "order") == ["zero_grad forward backward clip clip_value step", "forward backward step"]


def test_zeroing_many_modules_one_after_the_other_is_one_event(record, model, optimizer):
    def program():
        for layer in model:
            layer.zero_grad()
        train(model, optimizer, 1)

    assert column(record(program, model, optimizer), "order") == ["zero_grad forward backward step"]


@pytest.mark.parametrize(
    "clip",
    [
        lambda parameters: nn.utils.clip_grad_norm_(parameters, 0.25),
        lambda parameters: nn.utils.clip_grad_norm_(parameters, max_norm=0.25, norm_type=2.0),
        lambda parameters: nn.utils.clip_grad_norm_(parameters=parameters, max_norm=0.25),
        lambda parameters: nn.utils.clip_grad.clip_grad_norm_(parameters, 0.25),
    ],
)
def test_clipping_is_seen_with_its_norm_and_its_limit(record, model, optimizer, clip):
    norms = []

    def program():
        backward(model)
        norms.append(clip(list(model.parameters())).item())
        optimizer.step()

    run = record(program, model, optimizer)
    assert column(run, "clip_norm") == pytest.approx(norms)
    assert column(run, "clip_max") == [0.25]
    assert column(run, "order") == ["forward backward clip step"]


def test_schedulers_are_counted_without_the_step_of_their_constructor(record, model, optimizer):
    def program():
        scheduler = lr_scheduler.StepLR(optimizer, 1, gamma=0.1)
        for _ in range(3):
            train(model, optimizer, 1)
            scheduler.step()

    run = record(program, model, optimizer)
    assert [(one["class"], one["steps"]) for one in run.model["schedulers"]] == [("StepLR", 3)]
    assert column(run, "lr") == pytest.approx([0.1, 0.01, 0.001])
    assert column(run, "order")[1].startswith("scheduler ")


def test_what_a_plateau_schedule_is_told_is_kept(record, model, optimizer):
    def program():
        plateau = lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
        for accuracy in (0.5, 0.6, 0.7):
            train(model, optimizer, 1)
            plateau.step(accuracy)

    [schedule] = record(program, model, optimizer).model["schedulers"]
    assert (schedule["mode"], schedule["cuts"], schedule["told_name"]) == ("min", 2, "accuracy")
    assert (schedule["told_at"], schedule["told"]) == ([1, 2, 3], [0.5, 0.6, 0.7])


@pytest.mark.parametrize(
    "make",
    [
        lambda optimizer: lr_scheduler.ChainedScheduler(
            [lr_scheduler.ConstantLR(optimizer), lr_scheduler.ExponentialLR(optimizer, 0.9)]
        ),
        lambda optimizer: lr_scheduler.SequentialLR(
            optimizer, [lr_scheduler.ConstantLR(optimizer), lr_scheduler.ExponentialLR(optimizer, 0.9)], [2]
        ),
        lambda optimizer: lr_scheduler.ReduceLROnPlateau(optimizer),
        lambda optimizer: lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=10),
        lambda optimizer: lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 5),
    ],
)
def test_a_scheduler_of_schedulers_makes_one_event(record, model, make):
    optimizer = sgd(model, momentum=0.9)

    def program():
        scheduler = make(optimizer)
        for _ in range(2):
            train(model, optimizer, 1)
            scheduler.step(0.5) if isinstance(scheduler, lr_scheduler.ReduceLROnPlateau) else scheduler.step()

    run = record(program, model, optimizer)
    assert sum(order.count("scheduler") for order in column(run, "order")) == 1, (
        "the last one comes after the last step"
    )
    *parts, whole = (one["steps"] for one in run.model["schedulers"])
    assert (whole, set(parts)) in ((2, set()), (2, {0}))


@pytest.mark.parametrize("by_keyword", [True, False])
def test_a_step_that_the_scaler_leaves_out_is_a_skipped_step(record, model, optimizer, by_keyword):
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)

    def program():
        for broken in (False, True, False):
            optimizer.zero_grad()
            loss = model(batch()[0]).square().mean() * (float("inf") if broken else 1.0)
            scaled = scaler.scale(outputs=loss) if by_keyword else scaler.scale(loss)
            scaled.backward()
            scaler.unscale_(optimizer=optimizer) if by_keyword else scaler.unscale_(optimizer)
            scaler.step(optimizer=optimizer) if by_keyword else scaler.step(optimizer)
            scaler.update()

    run = record(program, model, optimizer)
    assert column(run, "skipped") == [False, True, False]
    assert column(run, "loss_scale") == [8.0, 8.0, 4.0]
    assert column(run, "order")[1] == "zero_grad forward backward unscale step(skipped)"
    assert run.values("update.rms", "0.weight")[0].tolist() == [1, 3]
    assert column(run, "lr") == pytest.approx([0.1] * 3)


def test_a_skipped_step_of_an_optimizer_that_was_not_known_is_one_step(record, model, optimizer):
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)

    def program():
        (model(batch()[0]).sum() * float("inf")).backward()
        for parameter in model.parameters():
            parameter.grad.fill_(torch.inf)
        scaler.scale(torch.ones(()))
        scaler.step(optimizer)
        scaler.update()
        train(model, optimizer, 1)

    run = record(program, model)
    assert column(run, "skipped") == [True, False]


def test_a_scaler_that_is_switched_off_is_not_there(record, model, optimizer):
    scaler = torch.amp.GradScaler("cpu", enabled=False)

    def program():
        scaler.scale(model(batch()[0]).sum()).backward()
        scaler.step(optimizer)
        scaler.update()

    run = record(program, model, optimizer)
    assert column(run, "skipped") == [False]
    assert column(run, "loss_scale") == [None]


@pytest.mark.parametrize("by_keyword", [True, False])
def test_loaded_weights_are_counted(record, model, optimizer, by_keyword):
    state = {**mlp().state_dict(), "more": torch.ones(1)}
    del state["2.bias"]

    def program():
        if by_keyword:
            model.load_state_dict(state_dict=state, strict=False)
        else:
            model.load_state_dict(state, False)
        train(model, optimizer, 1)

    (load,) = record(program, model, optimizer).model["loads"]
    assert (load["model"], load["given"], load["matched"], load["missing"], load["unexpected"]) == (
        "Sequential",
        4,
        3,
        1,
        1,
    )
    assert (load["first_missing"], load["first_unexpected"]) == (["2.bias"], ["more"])
    assert load["line"].startswith(__file__)


def test_loading_does_not_call_what_the_user_hung_on_saving(record, model, optimizer):
    calls = []
    model.register_state_dict_pre_hook(lambda *_: calls.append(1))

    def program():
        model.load_state_dict(mlp().state_dict())
        train(model, optimizer, 1)

    record(program, model, optimizer)
    assert calls == []


def test_lines_are_the_users(record, model, optimizer):
    def program():
        optimizer.zero_grad()
        backward(model)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    lines = record(program, model, optimizer).model["lines"]
    # What is read in the text of all files that the process has loaded depends on the tests before this one.
    assert all(
        place.startswith(__file__) for name in ("zero_grad", "clip", "step", "backward") for place in lines[name]
    )


def test_the_line_that_switches_to_evaluation_is_known(record):
    def program():
        model = mlp()
        model.train(mode=True)
        optimizer = sgd(model)
        model.eval()
        train(model, optimizer, 2)

    (line,) = record(program).model["lines"]["eval mode"]
    file, _, number = line.rpartition(":")
    assert Path(file).read_text().splitlines()[int(number) - 1].strip() == "model.eval()"
