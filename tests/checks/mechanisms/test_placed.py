import pytest

from stetho.checks.run.facts import Loss
from stetho.checks.signal.samples_mixed import samples_mixed
from stetho.testing import make_window

UNLEARNT = {"label_counts": [[50, 50]] * 3, "counted": 100.0, "correct": 52.0}
LEARNT = UNLEARNT | {"correct": 97.0}
LOSSES = [Loss("cross_entropy", "train.py:31", target="int64[32]")]
PLACED = {"others": 0.0, "placed": 0.4, "samples": 32, "aligned": True}


def after(calls, **more):
    return make_window(probes={"calls": calls}, **{"eval_batch": UNLEARNT, "losses": LOSSES} | more)


def test_finds_answers_that_depend_on_the_row():
    found = samples_mixed(after(PLACED, lines={"row numbers": ["train.py:12"]}))
    assert (found.severity, found.evidence["moved"], found.where.line) == ("error", 0.4, 12)
    assert "only change their order" in found.title


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({"placed": 0.0}, {}),
        ({"random": 0.2}, {}),
        ({"state": ["hidden"]}, {}),
        ({"aligned": False}, {}),
        ({"samples": 20}, {}),
        ({}, {"batch": {"hash": 7}}),
    ],
    ids=["independent", "drawn for each row", "kept for each row", "graph", "other rows", "whole"],
)
def test_stays_quiet_where_another_order_says_nothing(change, more):
    assert samples_mixed(after(PLACED | change, **more)) is None


def test_what_is_learnt_all_the_same_is_a_note():
    assert samples_mixed(after(PLACED, eval_batch=LEARNT)).severity == "note"
