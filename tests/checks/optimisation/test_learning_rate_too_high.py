import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.learning_rate_too_high import learning_rate_too_high
from stetho.checks.run.facts import Group, Optimizer, Scheduler
from stetho.testing import make_window

LARGE = {("fc1.weight", "update.rms"): 0.5, ("fc2.weight", "update.rms"): 0.5}


def test_finds_a_loss_that_climbs_under_large_updates() -> None:
    finding = learning_rate_too_high(make_window(step={"loss": np.linspace(2.3, 20, 60), "lr": 1.0}, stats=LARGE))
    assert finding.severity == "error"
    assert "climbs from 2.3" in finding.title
    assert "1 to" in finding.try_next


def test_finds_a_loss_that_is_no_number() -> None:
    loss = [2.0, 8.0, 100.0] + [np.nan] * 57
    assert "no number after step 3" in learning_rate_too_high(make_window(step={"loss": loss}, stats=LARGE)).title


def test_finds_a_loss_that_does_not_fall() -> None:
    assert "does not fall" in learning_rate_too_high(make_window(step={"loss": 2.3}, stats=LARGE)).title


def test_stays_quiet_on_a_healthy_run() -> None:
    assert learning_rate_too_high(make_window()) is None


def test_stays_quiet_on_large_updates_that_do_good() -> None:
    assert learning_rate_too_high(make_window(stats=LARGE)) is None


def test_stays_quiet_on_a_rising_loss_with_small_updates() -> None:
    assert learning_rate_too_high(make_window(step={"loss": np.linspace(2.3, 20, 60)})) is None


def test_a_rising_loss_of_two_players_is_a_note() -> None:
    players = np.arange(60) % 2
    window = make_window(step={"loss": np.linspace(1, 9, 60), "optimizer": players}, stats=LARGE)
    assert learning_rate_too_high(window).severity == "note"


def test_skips_short_runs_and_line_searches() -> None:
    with pytest.raises(Skip, match="fewer than"):
        learning_rate_too_high(make_window(steps=5))
    with pytest.raises(Skip, match="its own step"):
        learning_rate_too_high(make_window(optimizers=[Optimizer(0, "LBFGS")]))


def test_finds_a_loss_that_stays_high_and_restless() -> None:
    loss = np.where(np.arange(60) % 2, 0.7, 1.3)
    loss[0] = 2.3
    assert "jumps up and down" in learning_rate_too_high(make_window(step={"loss": loss}, stats=LARGE)).title


def test_stays_quiet_where_a_batch_that_stands_out_began_it() -> None:
    update, std = np.full(60, 1e-4), np.ones(60)
    update[40:], std[40] = 5.0, 30.0
    loss = np.append(np.linspace(2.3, 0.5, 40), np.full(20, 20.0))
    stats = dict.fromkeys(LARGE, update)
    assert learning_rate_too_high(make_window(step={"loss": loss}, stats=stats)) is not None
    assert learning_rate_too_high(make_window(step={"loss": loss}, stats=stats, batch={"std": std})) is None


@pytest.mark.parametrize(("thrown", "severity"), [(20.0, "warning"), (3.0, None)])
def test_a_loss_that_was_thrown_far_up_is_a_warning_even_if_the_run_ends_well(thrown: float, severity) -> None:
    answers = {"label_counts": [[50, 50]] * 60, "correct": 99, "counted": 100}
    course = np.concatenate([[1.0, thrown / 2, thrown, thrown, thrown / 2], np.linspace(1.0, 0.02, 55)])
    window = make_window(step={"loss": course}, stats=LARGE, batch=answers, eval_batch={"label_counts": None})
    found = learning_rate_too_high(window)
    assert (found and found.severity) == severity


@pytest.mark.parametrize(("first", "is_found"), [((2.0, 0.01), True), ((0.5, 0.4), True), ((0.5, 0.01), False)])
def test_one_or_two_steps_count_where_they_are_beyond_all_measure(first: tuple[float, float], is_found: bool) -> None:
    updates = np.append(first, np.full(58, 0.001))
    stats = {(name, "update.rms"): updates for name in ("fc1.weight", "fc2.weight")}
    sizes = {(name, "param.rms"): 0.05 for name in ("fc1.weight", "fc2.weight")}
    course = np.append([1.3, 14.0, 29.0], np.linspace(25.0, 3.0, 57))
    assert (learning_rate_too_high(make_window(step={"loss": course}, stats=stats | sizes)) is not None) == is_found


def test_stays_quiet_where_the_loss_is_finite_until_a_batch_comes_that_stands_out() -> None:
    update, std = np.linspace(0.5, 0.05, 60), np.ones(60)
    std[40:] = 60.0
    loss = np.append(np.linspace(0.7, 0.2, 40), np.full(20, np.nan))
    stats = dict.fromkeys(LARGE, update)
    assert learning_rate_too_high(make_window(step={"loss": loss}, stats=stats)) is not None
    assert learning_rate_too_high(make_window(step={"loss": loss}, stats=stats, batch={"std": std})) is None


@pytest.mark.parametrize(
    ("kind", "grows", "line"), [("ExponentialLR", 50, 6), ("ExponentialLR", 1, 5), ("OneCycleLR", 50, 6)]
)
def test_names_the_schedule_if_that_made_the_rate_so_high(kind: str, grows: float, line: int) -> None:
    optimizer = Optimizer(0, "SGD", "train.py:5", (Group({"lr": 0.02, "initial_lr": 0.02}),))
    window = make_window(
        step={"loss": np.linspace(2.3, 20, 60), "lr": np.linspace(0.02, 0.02 * grows, 60)},
        stats=LARGE,
        optimizers=[optimizer],
        schedulers=[Scheduler(kind, "train.py:6")],
    )
    assert learning_rate_too_high(window).where.line == line


def test_updates_that_have_run_away_give_no_number_to_try() -> None:
    stats = dict.fromkeys(LARGE, 1e9)
    finding = learning_rate_too_high(make_window(step={"loss": np.linspace(2.3, 20, 60), "lr": 1.0}, stats=stats))
    assert finding.try_next == "Lower the learning rate from 1 to a tenth, and again until the loss falls."
