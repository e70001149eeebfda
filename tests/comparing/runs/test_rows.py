"""Rows of both runs, and how far they are apart."""

import numpy as np
import torch

from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.matching import match
from stetho.comparing.runs.recorded import Recorded
from stetho.comparing.runs.rows import MEASURING, Rows
from tests.comparing.trainings import Net, Record


def rows_of(one, other) -> Rows:
    sides = Recorded(one), Recorded(other)
    return Joined(*sides, match(*sides)).at(1)


def test_equal_rows_have_no_errors(record: Record) -> None:
    found = rows_of(record(), record())
    assert len(found.steps) > 20
    assert not found.differs.any()
    assert not found.beyond(0.0).any()


def test_the_error_of_a_scaled_output_is_its_scale(record: Record) -> None:
    found = rows_of(record(), record(model=lambda: Net(scale=0.5)))
    here = [found.names[int(series)].name == "block" for series in found.series]
    assert found.errors[here].max() > 0.01


def test_what_follows_from_outputs_may_be_further_apart(record: Record) -> None:
    found = rows_of(record(), record(seed=1))
    assert found.beyond(0.0).sum() > found.beyond(0.3).sum()
    assert set(np.unique(found.sensitivity)) > {1.0}
    assert MEASURING < 1e-6


def test_gradients_in_half_precision_may_be_further_apart_still(record: Record) -> None:
    sides = Recorded(record()), Recorded(record(seed=1))
    fine, coarse = (Joined(*sides, match(*sides), has_few_digits=few).at(1) for few in (False, True))
    roles = np.array([fine.names[int(series)].role for series in fine.series])
    assert (coarse.sensitivity[roles == "act"] == 1.0).all()
    assert (coarse.sensitivity[roles == "grad"] > fine.sensitivity[roles == "grad"]).all()


def test_an_update_follows_from_its_gradient_in_half_precision_if_that_is_as_far_off(record: Record) -> None:
    sides = Recorded(record()), Recorded(record(optimizer=lambda p: torch.optim.SGD(p, lr=0.2, momentum=0.9)))
    found = Joined(*sides, match(*sides), has_few_digits=True).at(1)
    roles = np.array([found.names[int(series)].role for series in found.series])
    assert (found.sensitivity[roles == "update"] < found.sensitivity[roles == "grad"].min()).all()
