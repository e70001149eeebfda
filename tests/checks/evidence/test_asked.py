"""Which evaluations are held against the training."""

import numpy as np

from stetho.checks.evidence.asked import are_of_two_kinds, asks_for_two_kinds, comparable
from stetho.testing import make_window


def asked(**evaluated):
    window = make_window(batch={"samples": np.arange(32)}, eval_batch=evaluated)
    return comparable(window.batches("train"), window.batches("eval"))


def test_batches_of_numbers_are_compared() -> None:
    train, other = asked()
    assert (train.count, other.count) == (60, 3)


def test_whole_numbers_are_not() -> None:
    assert asked(dtype="int64")[1].count == 0


def test_a_part_of_the_model_that_is_asked_by_itself_has_inputs_of_its_own() -> None:
    assert asked(shape=[[32, 4]] * 3)[1].count == 0
    assert asked(shape=[[20, 8], [20, 8], [20, 4]])[1].count == 2


def test_of_data_that_were_trained_on_and_others_the_others_are_left() -> None:
    assert asked(samples=np.stack([np.arange(32), 100 + np.arange(32), np.arange(32)]))[1].count == 1
    assert asked(samples=np.stack([np.arange(32)] * 3))[1].count == 3


def test_data_of_two_kinds_that_are_asked_by_hand_are_to_differ() -> None:
    by_hand = {"loader": float("nan"), "std": 1.0}
    assert are_of_two_kinds(*asked(mean=[0.0, 5.0, 0.1], **by_hand))
    assert not are_of_two_kinds(*asked(mean=5.0, **by_hand))
    assert not are_of_two_kinds(*asked(mean=0.0, **by_hand))
    assert not are_of_two_kinds(*asked(mean=[0.0, 5.0, 0.1], std=1.0))


def test_one_model_that_is_asked_for_two_kinds_is_enough() -> None:
    assert asks_for_two_kinds(make_window(eval_batch={"mean": [0.0, 5.0, 0.0], "std": 1.0, "loader": float("nan")}))
    assert not asks_for_two_kinds(make_window())


def test_what_comes_after_data_that_are_alike_may_be_made_of_them() -> None:
    by_hand = {"loader": float("nan"), "std": 1.0, "step": np.repeat([20, 40], 5)}
    parts = np.tile([0.0, 5.0, 6.0, 7.0, 8.0], 2)
    assert are_of_two_kinds(*asked(mean=parts, **by_hand))
    assert not are_of_two_kinds(*asked(mean=parts[::-1], **by_hand))
