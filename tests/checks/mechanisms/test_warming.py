import numpy as np
import pytest

from stetho.checks.mechanisms.warming import endless_warm_up
from stetho.checks.optimisation.learning_rate_too_low import learning_rate_too_low
from stetho.checks.run.facts import Group, Optimizer, Scheduler
from stetho.testing import make_window

AIM = 0.006


def window(rates, **given):
    optimizer = Optimizer(0, "SGD", groups=(Group({"lr": float(rates[-1]), "initial_lr": AIM}),))
    schedule = Scheduler("LambdaLR", line="train.py:68")
    numbers = given.pop("numbers", range(1, len(rates) + 1))
    step = {"lr": rates, "step": list(numbers)}
    return make_window(steps=len(rates), step=step, optimizers=[optimizer], schedulers=[schedule], **given)


def test_finds_a_warm_up_that_is_longer_than_the_run():
    found = learning_rate_too_low(window(np.linspace(AIM / 20_000, AIM / 100, 200)))
    assert (found.severity, found.where.line) == ("warning", 68)
    assert "1.0% of 0.006" in found.title


@pytest.mark.parametrize(
    "rates",
    [
        np.linspace(AIM / 200, AIM, 200),
        np.linspace(AIM / 200, AIM / 3, 200),
        np.linspace(AIM / 2000, AIM / 100, 40),
        np.full(200, AIM / 100),
        np.concatenate([np.linspace(0, AIM / 10, 100), np.linspace(AIM / 10, 0, 100)]),
    ],
    ids=["whole", "a third", "a trial", "constant", "and down again"],
)
def test_stays_quiet_on_other_schedules(rates):
    assert endless_warm_up(window(rates)) is None


def test_stays_quiet_on_a_run_that_was_cut_or_ended_well():
    rates = np.linspace(AIM / 20_000, AIM / 100, 200)
    assert endless_warm_up(window(rates, info={"options": {"steps": 200}})) is None
    rows = {"label_counts": [[15, 15, 15, 15]] * 10, "correct": 60, "counted": 60}
    assert endless_warm_up(window(rates, eval_batch=rows)) is None


def test_tells_the_steps_and_not_the_rows():
    rates = np.linspace(AIM / 20_000, AIM / 100, 200)
    found = endless_warm_up(window(rates, numbers=[*range(1, 200), 4000]))
    assert "after 4000 steps" in found.title
