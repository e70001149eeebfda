import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.best_state_not_copied import best_state_not_copied
from stetho.checks.run.facts import Load
from stetho.testing import make_window


def test_finds_a_state_that_went_on_with_the_training():
    load = Load("train.py:50", "Net", 4, 4, step=60, kept=20, kept_at="train.py:40")
    found = best_state_not_copied(make_window(loads=[Load("train.py:3", "Net", 4, 4, step=0), load]))
    assert (found.severity, found.where.line, found.evidence["loaded_at"]) == ("error", 40, "train.py:50")
    assert "after step 60 was kept after step 20" in found.title
    assert (found.steps.first, found.steps.last) == (20, 60)


def test_explains_what_a_restored_model_would_not_show():
    assert "overfitting" in best_state_not_copied.explains


def test_stays_quiet_on_a_copy():
    assert best_state_not_copied(make_window(loads=[Load("train.py:50", "Net", 4, 4, step=60)])) is None


def test_stays_quiet_on_an_older_run():
    assert best_state_not_copied(make_window(loads=[Load("train.py:50", "Net", 4, 4)])) is None


def test_is_skipped_when_nothing_was_loaded():
    with pytest.raises(Skip, match="no weights were loaded"):
        best_state_not_copied(make_window())
