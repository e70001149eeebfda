"""Rows of both runs, and how far they are apart."""

import numpy as np

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
