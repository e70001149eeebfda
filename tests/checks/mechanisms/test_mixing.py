import pytest

from stetho.checks.run.facts import Loss
from stetho.checks.signal.samples_mixed import samples_mixed
from stetho.testing import make_window

UNLEARNT = {"label_counts": [[50, 50]] * 3, "counted": 100.0, "correct": 52.0}
LOSSES = [Loss("cross_entropy", "train.py:31", target="int64[32]")]


def after(calls, **more):
    """A run that learnt nothing, with an experiment."""
    return make_window(probes={"calls": calls}, **{"eval_batch": UNLEARNT, "losses": LOSSES} | more)


MIXED = {"others": 0.3, "samples": 32, "aligned": True}


def test_samples_that_move_with_the_others_are_mixed():
    found = samples_mixed(after(MIXED))
    assert (found.severity, found.evidence["moved"]) == ("error", 0.3)


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({"others": 0.0}, {}),
        ({"aligned": False}, {}),  # a graph beside the nodes
        ({"samples": 20}, {}),  # rows that are no samples
        ({"others_along_second": 0.0}, {}),  # the batch may be the second axis
        ({}, {"batch": {"hash": 7}}),  # the whole of one graph in each step
        ({}, {"layers": {"norm": "BatchNorm1d(8, track_running_stats=False)"}}),
    ],
    ids=["independent", "graph", "other rows", "time first", "whole", "own statistics"],
)
def test_samples_that_may_belong_together_are_not(change, more):
    assert samples_mixed(after(MIXED | change, **more)) is None


def test_samples_that_are_mixed_and_learnt_are_a_note():
    assert samples_mixed(after(MIXED, eval_batch=UNLEARNT | {"correct": 99.0})).severity == "note"
