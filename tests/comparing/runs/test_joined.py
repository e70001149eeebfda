"""The measurements that two runs have in common."""

import numpy as np

from stetho.comparing.runs.joined import MEASURING, join
from stetho.comparing.runs.matching import match
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Net, Record


def joined(one, other, offset=0):
    sides = Recorded(one), Recorded(other, offset=offset)
    return join(*sides, match(*sides))


def test_equal_runs_have_no_errors(record: Record) -> None:
    found = joined(record(), record())
    assert len(found.steps) > 100
    assert not found.differs.any()
    assert not found.beyond(0.0).any()


def test_the_error_of_a_scaled_output_is_its_scale(record: Record) -> None:
    found = joined(record(), record(model=lambda: Net(scale=0.5)))
    rows = [i for i, s in enumerate(found.series) if found.names[int(s)].name == "block" and found.steps[i] == 1]
    assert found.errors[rows].max() > 0.01


def test_rows_of_other_steps_are_not_joined(record: Record) -> None:
    assert len(joined(record(steps=2), record(steps=2), offset=9).steps) == 0


def test_an_update_that_one_run_alone_has_is_infinitely_apart(record: Record) -> None:
    import torch

    found = joined(record(), record(optimizer=lambda p: torch.optim.SGD(list(p)[:-1], lr=0.1, momentum=0.9)))
    lonely = {found.names[int(s)].name for s, e in zip(found.series, found.errors, strict=True) if np.isinf(e)}
    assert lonely == {"head.bias"}


def test_what_follows_from_outputs_may_be_further_apart(record: Record) -> None:
    found = joined(record(), record(seed=1))
    assert found.beyond(0.0).sum() > found.beyond(0.3).sum()
    assert MEASURING < 1e-6
