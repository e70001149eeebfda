import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.scheduler_never_stepped import scheduler_never_stepped
from stetho.checks.run.facts import Loader, Scheduler
from stetho.testing import make_window

IDLE = [Scheduler("OneCycleLR", "train.py:27")]
EPOCHS = [Loader(0, passes=3)]


def test_finds_a_scheduler_without_a_step():
    found = scheduler_never_stepped(make_window(schedulers=IDLE, loaders=EPOCHS))
    assert (found.severity, found.where.line) == ("warning", 27)
    assert "never stepped in 60 steps" in found.title


def test_finds_it_in_a_program_without_loaders():
    assert scheduler_never_stepped(make_window(schedulers=IDLE, loaders=[])) is not None


def test_one_of_two_schedulers_is_enough():
    both = [Scheduler("StepLR", "train.py:26", steps=3), *IDLE]
    assert scheduler_never_stepped(make_window(schedulers=both, loaders=EPOCHS)).where.line == 27


def test_stays_quiet_when_it_steps():
    stepping = [Scheduler("StepLR", "train.py:26", steps=3)]
    assert scheduler_never_stepped(make_window(schedulers=stepping, loaders=EPOCHS)) is None


def test_stays_quiet_when_it_steps_inside_of_another_one():
    order = ["zero_grad forward backward step", *["scheduler zero_grad forward backward step"] * 59]
    assert scheduler_never_stepped(make_window(order=order, schedulers=IDLE, loaders=EPOCHS)) is None


def test_stays_quiet_before_its_time_comes():
    assert scheduler_never_stepped(make_window(schedulers=IDLE)) is None, "the first epoch is not over"
    assert scheduler_never_stepped(make_window(steps=29, schedulers=IDLE, loaders=EPOCHS)) is None


def test_is_skipped_without_a_scheduler():
    with pytest.raises(Skip, match="the program has no scheduler"):
        scheduler_never_stepped(make_window())


def test_counts_steps_too_that_nobody_looked_at():
    numbers = {"step": [*range(1, 29), 5000]}
    assert (
        "in 5000 steps"
        in scheduler_never_stepped(make_window(steps=29, step=numbers, schedulers=IDLE, loaders=EPOCHS)).title
    )
