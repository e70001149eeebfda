from dataclasses import replace

import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.loader_restarted import loader_restarted
from stetho.checks.run.facts import Loader
from stetho.testing import make_window


def loading(passes=60, length=640, shuffled=False, steps=60):
    loader = Loader(0, length=length, batch_size=32, shuffled=shuffled, passes=passes, line="train.py:3")
    return make_window(steps=steps, loaders=[loader])


@pytest.mark.parametrize(("shuffled", "severity"), [(False, "error"), (True, "warning")])
def test_finds_a_loader_that_begins_anew_in_every_step(shuffled, severity):
    found = loader_restarted(loading(shuffled=shuffled, length=960))
    assert (found.severity, found.where.line) == (severity, 3)
    assert "60 times in 60 steps" in found.title


def test_random_batches_for_several_passes_over_the_data_are_a_note():
    assert loader_restarted(loading(shuffled=True)).severity == "note"


def test_stays_quiet_on_epochs():
    assert loader_restarted(loading(passes=3)) is None


def test_steps_that_nobody_looked_at_were_made_too():
    """Of 8,000 short steps 60 were looked at: as many as there are passes, which are counted always."""
    seen = {"step": [*range(1, 60), 8000]}
    epochs = Loader(0, length=640, batch_size=32, shuffled=True, passes=400, line="train.py:3")
    assert loader_restarted(make_window(steps=60, loaders=[epochs], step=seen)) is None
    anew = replace(epochs, passes=8000)
    assert "8000 times in 8000 steps" in loader_restarted(make_window(steps=60, loaders=[anew], step=seen)).title


def test_stays_quiet_when_a_pass_is_a_batch_or_two():
    assert loader_restarted(loading(length=64)) is None


def test_stays_quiet_on_data_without_a_length():
    assert loader_restarted(loading(length=None)) is None


def test_is_skipped_without_a_loader_and_after_few_steps():
    with pytest.raises(Skip, match="no training batch came from a data loader"):
        loader_restarted(make_window(batch={"loader": None}))
    with pytest.raises(Skip):
        loader_restarted(loading(steps=9, passes=9))


def test_finds_a_loader_that_is_left_after_two_batches():
    found = loader_restarted(loading(passes=30, shuffled=True))
    assert "30 times in 60 steps" in found.title


@pytest.mark.parametrize("passes", [30, 60])
def test_stays_quiet_when_a_step_gathers_many_batches(passes):
    loader = Loader(0, length=640, batch_size=32, shuffled=True, passes=passes, line="train.py:3")
    assert loader_restarted(make_window(steps=60, loaders=[loader], step={"backwards": 20})) is None


def test_points_at_the_line_that_leaves_the_loop():
    loader = Loader(0, length=640, batch_size=32, passes=60, line="train.py:3", begun="train.py:5", left="train.py:8")
    assert loader_restarted(make_window(loaders=[loader])).where.line == 8
    assert loader_restarted(make_window(loaders=[replace(loader, left=None)])).where.line == 5
