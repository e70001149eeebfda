import numpy as np
import pytest

from stetho.checks.evidence.schedules import raised_at
from stetho.checks.run.facts import Group, Optimizer, Scheduler
from stetho.testing import make_window

SGD = Optimizer(0, "SGD", "train.py:5", (Group({"lr": 0.02, "initial_lr": 0.02}),))


@pytest.mark.parametrize(
    ("first", "last", "kinds", "line"),
    [
        (0.02, 1.0, ["ExponentialLR"], "train.py:6"),
        (0.02, 0.03, ["ExponentialLR"], None),
        (1e-6, 0.02, ["LambdaLR"], None),
        (0.02, 1.0, ["OneCycleLR"], None),
        (0.02, 1.0, ["ExponentialLR", "LambdaLR"], None),
        (0.02, 1.0, [], None),
    ],
)
def test_only_one_schedule_that_raised_the_rate_is_told(first, last, kinds, line) -> None:
    schedules = [Scheduler(kind, "train.py:6") for kind in kinds]
    window = make_window(step={"lr": np.geomspace(first, last, 60)}, optimizers=[SGD], schedulers=schedules)
    assert raised_at(window) == line


def test_nothing_is_told_without_an_optimizer() -> None:
    assert raised_at(make_window(step={"lr": np.nan}, optimizers=[])) is None
