"""Two curves of the loss."""

import numpy as np
import pytest

from stetho.comparing.runs.curve import Curve, curve_of
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Record


def curve(one: list[float], other: list[float]) -> Curve:
    return Curve(np.arange(1, len(one) + 1), np.asarray(one), np.asarray(other), 1e-3, (0, 0))


def test_the_first_step_beyond_the_tolerance() -> None:
    assert curve([1, 1, 1], [1, 1.0005, 1.1]).first_off == 3
    assert curve([1, 1, 1], [1, 1.0005, 1.1]).first_unequal == 2
    assert curve([1, 1], [1, 1]).first_unequal is None


def test_nan_in_both_is_equal_and_in_one_is_beyond_measure() -> None:
    found = curve([np.nan, np.nan], [np.nan, 1.0])
    assert found.apart.tolist() == [0.0, np.inf]


def test_a_step_that_one_run_does_not_have_has_no_losses() -> None:
    assert curve([1.0], [1.0]).at(2) is None
    assert curve([1.0], [2.0]).at(1) == (1.0, 2.0, pytest.approx(0.5))


def test_what_each_run_has_beyond_the_other_is_counted(record: Record) -> None:
    assert curve_of(Recorded(record(steps=2)), Recorded(record(steps=4))).only == (0, 2)
