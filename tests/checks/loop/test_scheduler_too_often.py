import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.scheduler_too_often import scheduler_too_often
from stetho.checks.run.facts import Scheduler
from stetho.testing import make_window

EVERY_STEP = "scheduler zero_grad forward backward step"
HALVED = 0.1 * 0.5 ** np.arange(60)
COSINE = 0.05 + 0.05 * np.cos(np.arange(60) * np.pi / 5)


def scheduled(rates, kind="StepLR", order=EVERY_STEP):
    return make_window(order=order, step={"lr": list(rates)}, schedulers=[Scheduler(kind, steps=60)])


def test_finds_a_rate_that_is_used_up_early():
    found = scheduler_too_often(scheduled(HALVED))
    assert (found.severity, found.steps.first) == ("error", 11)
    assert "from 0.1 to" in found.title


def test_early_is_early_in_the_run_and_not_among_the_steps_that_were_looked_at():
    """The rate is gone at step 51 of 1,000, of which the first 50 and ten more were looked at."""
    rates, seen = [0.1] * 50 + [1e-6] * 10, [*range(1, 51), *range(51, 1001, 100)]
    seen[-1] = 1000
    window = make_window(
        order=EVERY_STEP, step={"lr": rates, "step": seen}, schedulers=[Scheduler("StepLR", steps=1000)]
    )
    found = scheduler_too_often(window)
    assert (found.steps.first, found.steps.last) == (51, 1000)
    assert "since step 51 of 1000" in found.title


def test_finds_a_cosine_that_goes_up_and_down():
    assert "up and down" in scheduler_too_often(scheduled(COSINE, "CosineAnnealingLR")).title


def test_stays_quiet_on_a_schedule_as_long_as_the_run():
    assert scheduler_too_often(scheduled(0.1 * np.linspace(1, 0.001, 60))) is None
    assert scheduler_too_often(scheduled(0.05 + 0.05 * np.cos(np.linspace(0, np.pi, 60)), "CosineAnnealingLR")) is None


def test_stays_quiet_on_warm_up_and_on_cycles_that_are_meant():
    assert scheduler_too_often(scheduled(np.minimum(np.arange(60) / 20, 1) * 0.1, "LambdaLR")) is None
    assert scheduler_too_often(scheduled(COSINE, "CyclicLR")) is None


@pytest.mark.parametrize(("stepped", "said"), [("train.py:50", 9), ("train.py:34", 34)])
def test_points_at_the_schedule_where_a_trainer_steps_it(stepped, said):
    lines = {"backward": ["train.py:50"], "scheduler": [stepped]}
    schedulers = [Scheduler("StepLR", "train.py:9", steps=60)]
    window = make_window(order=EVERY_STEP, step={"lr": HALVED}, schedulers=schedulers, lines=lines)
    assert scheduler_too_often(window).where.line == said


def test_stays_quiet_on_a_scheduler_that_steps_once_an_epoch():
    order = ["scheduler zero_grad forward backward step" if n % 10 == 0 else "forward backward step" for n in range(60)]
    assert scheduler_too_often(scheduled(HALVED, order=order)) is None


def test_is_skipped_without_a_scheduler_and_after_few_steps():
    with pytest.raises(Skip, match="no scheduler steps"):
        scheduler_too_often(make_window())
    with pytest.raises(Skip):
        scheduler_too_often(make_window(steps=9, order=EVERY_STEP))


def test_of_a_scheduler_that_steps_for_epochs_the_loss_decides():
    order = ["scheduler forward backward step" if n % 30 == 0 else "forward backward step" for n in range(1, 301)]
    rates, numbers = list(0.1 ** (1 + np.arange(300) // 30)), np.arange(300)

    def judged(losses):
        schedulers = [Scheduler("ExponentialLR", "train.py:4")]
        columns = {"lr": rates, "loss": list(losses)}
        return scheduler_too_often(make_window(steps=300, order=order, step=columns, schedulers=schedulers))

    assert "still falling" in judged(np.maximum(2.0 - numbers / 40, 1.2)).title
    assert judged(np.where(numbers < 8, 2.0 - numbers / 10, 1.2)) is None
