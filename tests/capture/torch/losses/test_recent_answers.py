import numpy as np
import pytest

from stetho.capture.torch.losses.recent_answers import RecentAnswers


def test_answers_of_long_ago_fade():
    recent = RecentAnswers()
    recent.add("train", np.array([0, 100, 100, 0]))
    for _ in range(300):
        recent.add("train", np.array([2, 0, 0, 2]))
    assert recent.result()["train"] == pytest.approx([66.7, 0, 0, 66.7], abs=0.1)


def test_phases_are_counted_apart():
    recent = RecentAnswers()
    recent.add("train", np.array([5, 0, 0, 5]))
    recent.add("eval", np.array([1, 1, 1, 1]))
    assert recent.result() == {"train": [5, 0, 0, 5], "eval": [1, 1, 1, 1]}


def test_nothing_was_answered_and_too_many_classes():
    recent = RecentAnswers()
    assert recent.result() is None
    recent.add("train", np.zeros(100 * 100, np.int64))
    assert recent.result() is None
