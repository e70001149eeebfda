import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.weights_not_loaded import weights_not_loaded
from stetho.checks.run.facts import Load
from stetho.testing import make_window


def loaded(matched, missing, unexpected):
    first = ("fc.weight",), ("module.fc.weight",)
    return Load("train.py:5", "Net", matched + unexpected, matched, missing, unexpected, *first)


def test_finds_keys_that_found_no_place():
    found = weights_not_loaded(make_window(loads=[loaded(matched=1, missing=9, unexpected=9)]))
    assert (found.severity, found.where.line, found.evidence["unexpected"]) == ("error", 5, "module.fc.weight")
    assert "only 1 of 10 entries of Net" in found.title


def test_finds_the_one_load_of_several_that_failed():
    assert weights_not_loaded(make_window(loads=[loaded(10, 0, 0), loaded(0, 10, 10)])) is not None


def test_stays_quiet_when_all_keys_fit():
    assert weights_not_loaded(make_window(loads=[loaded(10, 0, 0)])) is None


def test_stays_quiet_on_a_body_for_another_head():
    assert weights_not_loaded(make_window(loads=[loaded(matched=8, missing=2, unexpected=2)])) is None


def test_stays_quiet_on_a_checkpoint_of_a_part_that_fits():
    assert weights_not_loaded(make_window(loads=[loaded(matched=2, missing=8, unexpected=0)])) is None


def test_is_skipped_when_nothing_was_loaded():
    with pytest.raises(Skip, match="no weights were loaded"):
        weights_not_loaded(make_window())


def test_finds_a_state_of_which_nothing_was_left():
    found = weights_not_loaded(make_window(loads=[loaded(matched=0, missing=10, unexpected=0)]))
    assert "no key that fits" in found.title
