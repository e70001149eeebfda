import numpy as np

from stetho.capture.torch.feed.kept_samples import KeptSamples, Told
from stetho.capture.torch.feed.relabelled import relabelled

ROWS = np.random.default_rng(0).normal(size=(60, 4))
TRUTH = np.arange(60) % 4


def kept(rows, labels, classes=4):
    samples = KeptSamples(100)
    count = len(rows)
    samples.add(Told(rows, np.zeros((count, 0), np.int64), np.zeros((count, 0, 0))), labels.astype(float), classes)
    return samples


def test_counts_samples_that_have_another_label_in_training():
    known = np.where(np.arange(60) < 20, TRUTH, 0)
    found = relabelled(kept(ROWS, known), kept(ROWS, TRUTH))
    assert (found["both"], found["differ"], found["given"]) == (60, 30, {"0": 30})
    assert found["truth"] == {"1": 10, "2": 10, "3": 10}


def test_counts_none_where_labels_agree_or_samples_are_others():
    assert relabelled(kept(ROWS, TRUTH), kept(ROWS, TRUTH))["differ"] == 0
    assert relabelled(kept(ROWS, TRUTH), kept(ROWS + 1, TRUTH))["both"] == 0


def test_says_nothing_of_two_classes_of_numbers_and_of_no_samples():
    assert relabelled(kept(ROWS, TRUTH % 2, 2), kept(ROWS, TRUTH % 2, 2)) is None
    assert relabelled(kept(ROWS, TRUTH, 0), kept(ROWS, TRUTH, 0)) is None
    assert relabelled(kept(ROWS, TRUTH), kept(ROWS, TRUTH, 5)) is None
    assert relabelled(KeptSamples(9), KeptSamples(9)) is None
