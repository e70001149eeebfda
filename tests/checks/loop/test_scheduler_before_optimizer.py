import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.scheduler_before_optimizer import scheduler_before_optimizer
from stetho.testing import make_window

PLAIN = "zero_grad forward backward step"
BETWEEN = "zero_grad forward backward scheduler step"
AFTER = f"scheduler {PLAIN}"
"""What comes after a step is written down with the next one."""


def test_finds_a_scheduler_between_backward_and_step():
    found = scheduler_before_optimizer(make_window(order=BETWEEN, lines={"scheduler": ["train.py:35"]}))
    assert (found.severity, found.where.line) == ("warning", 35)


def test_finds_a_scheduler_that_is_there_before_the_first_step():
    found = scheduler_before_optimizer(make_window(steps=20, order=[AFTER] * 20))
    assert "beginning with step 1" in found.title


def test_stays_quiet_on_a_scheduler_after_each_step():
    assert scheduler_before_optimizer(make_window(steps=20, order=[PLAIN, *[AFTER] * 19])) is None


def test_stays_quiet_on_a_scheduler_after_each_epoch():
    assert (
        scheduler_before_optimizer(make_window(steps=60, order=([PLAIN] * 19 + [PLAIN]) + [AFTER, *[PLAIN] * 19] * 2))
        is None
    )


def test_stays_quiet_when_a_few_steps_only_are_early():
    assert scheduler_before_optimizer(make_window(steps=20, order=[PLAIN, *[AFTER] * 16, *[BETWEEN] * 3])) is None


def test_is_skipped_without_a_scheduler():
    with pytest.raises(Skip, match="no scheduler steps"):
        scheduler_before_optimizer(make_window())
