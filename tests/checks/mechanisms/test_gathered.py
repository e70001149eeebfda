"""Answers beside labels in another order."""

from stetho.checks.mechanisms.gathered import in_another_order
from stetho.testing import make_window


def judged(**found):
    probe = {"compared": 0.1, "own": 0.9, "count": 300, "line": "eval.py:12", **found}
    return in_another_order(make_window(probes={"gathered": probe}), 0.15)


def test_finds_answers_that_are_right_beside_their_own_labels_alone():
    found = judged()
    assert "10.0% are right by that, and 90.0%" in found.title
    assert found.where.line == 12


def test_stays_quiet_where_the_order_changes_little():
    assert judged(own=0.2) is None
    assert in_another_order(make_window(), 0.15) is None
