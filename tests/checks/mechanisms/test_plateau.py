import numpy as np
import pytest

from stetho.checks.mechanisms.plateau import turned_about
from stetho.checks.run.facts import Scheduler
from stetho.checks.run.series import Series
from stetho.testing import make_window

RISING = np.linspace(0.3, 0.9, 20).tolist()


def waiting(mode="min", name="val_acc", told=RISING, cuts=4, **facts):  # type: ignore[no-untyped-def]
    settings = {"mode": mode, "told_name": name, "told": told, "told_at": list(range(3, 63, 3)), "cuts": cuts}
    schedule = Scheduler("ReduceLROnPlateau", "train.py:9", 20, settings=settings | {"told_line": "train.py:30"})
    return turned_about(make_window(schedulers=[schedule], **facts))


@pytest.mark.parametrize("name", ["val_acc", "accuracy", "meanAccuracy", "test_f1"])
def test_finds_a_score_that_a_schedule_waits_to_see_fall(name: str) -> None:
    found = waiting(name=name)
    assert found.where.line == 30
    assert f"waits for {name} to fall" in found.title
    assert "4 times" in found.title


def test_finds_a_loss_that_a_schedule_waits_to_see_rise() -> None:
    assert "waits for val_loss to rise" in waiting("max", "val_loss", RISING[::-1]).title


def test_finds_an_accuracy_without_a_name_by_its_value() -> None:
    counted = Series(np.arange(3, 63, 3), np.array(RISING))
    assert "the accuracy" in waiting(name=None, metrics={("accuracy", "eval"): counted}).title
    other = Series(counted.steps, counted.values / 2)
    assert waiting(name=None, metrics={("accuracy", "eval"): other}) is None


@pytest.mark.parametrize(
    ("mode", "name"), [("max", "val_acc"), ("min", "val_loss"), ("min", "acc_loss"), ("min", "metric"), ("min", None)]
)
def test_stays_quiet_where_the_mode_fits_or_the_measure_is_not_known(mode: str, name: str | None) -> None:
    assert waiting(mode, name) is None


def test_stays_quiet_on_scores_with_a_minus_and_while_the_rate_stays() -> None:
    assert waiting(told=[-value for value in RISING]) is None
    assert waiting(cuts=0) is None
