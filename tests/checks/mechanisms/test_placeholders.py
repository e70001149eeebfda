import pytest

from stetho.checks.mechanisms.placeholders import placeholders
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

FOUND = {"both": 300, "differ": 200, "given": {"0": 200}, "truth": {"1": 70, "2": 60, "3": 70}}


def judged(loss=None, **change):
    window = make_window(probes={"relabelled": FOUND | change})
    return placeholders(window, loss or Loss("cross_entropy", "train.py:9", reduction="mean"))


def test_finds_samples_that_have_a_class_in_the_place_of_a_label():
    found = judged()
    assert found.where.line == 9
    assert "200 of 300 samples" in found.title


@pytest.mark.parametrize(
    "change",
    [
        {"differ": 20, "given": {"0": 20}, "truth": {"1": 10, "2": 10}},
        {"both": 30, "differ": 20},
        {"given": {"0": 100, "1": 100}},
        {"truth": {"1": 190, "2": 10}},
        {"given": {}, "truth": {}},
    ],
    ids=["few", "hardly any seen", "noise in labels", "one class for another", "nothing known"],
)
def test_stays_quiet_on_labels_that_differ_otherwise(change):
    assert judged(**change) is None


@pytest.mark.parametrize(
    "other", [{"reduction": "none"}, {"ignore_index": 0}, {"weight": (0.0, 1.0, 1.0, 1.0)}], ids=str
)
def test_stays_quiet_where_the_class_may_not_count(other):
    assert judged(Loss("cross_entropy", "train.py:9", **({"reduction": "mean"} | other))) is None
