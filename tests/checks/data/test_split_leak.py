import numpy as np
import pytest

from stetho.checks.data.split_leak import split_leak
from stetho.checks.declare import Skip
from stetho.checks.facts import Loader
from stetho.testing import make_window

TRAIN = np.arange(60 * 32).reshape(60, 32) % 640
PARTLY = np.arange(3 * 32).reshape(3, 32) * 373 % 1280


def test_finds_samples_in_a_loader_of_its_own() -> None:
    window = make_window(batch={"samples": TRAIN}, eval_batch={"samples": TRAIN[:3]})
    assert (split_leak(window).severity, split_leak(window).evidence["overlap"]) == ("warning", 1.0)


def test_finds_samples_of_both_kinds_without_loaders() -> None:
    window = make_window(batch={"samples": TRAIN, "loader": None}, eval_batch={"samples": PARTLY, "loader": None})
    assert split_leak(window).severity == "warning"


def test_is_a_note_when_training_data_are_evaluated_as_a_whole() -> None:
    by_hand = make_window(batch={"samples": TRAIN, "loader": None}, eval_batch={"samples": TRAIN[:20], "loader": None})
    assert split_leak(by_hand).severity == "note"
    twins = [Loader(0, length=640), Loader(1, length=640)]
    assert (
        split_leak(make_window(batch={"samples": TRAIN}, eval_batch={"samples": TRAIN[:3]}, loaders=twins)).severity
        == "note"
    )


def test_stays_quiet_on_data_of_their_own_and_on_few_possible_values() -> None:
    assert split_leak(make_window()) is None
    few = np.arange(60 * 32).reshape(60, 32) * 7 % 40
    doubled = np.concatenate([few[:, :16], few[:, :16]], 1)
    assert split_leak(make_window(batch={"samples": doubled}, eval_batch={"samples": doubled[:3]})) is None


def test_skips_when_few_samples_were_looked_at() -> None:
    with pytest.raises(Skip):
        split_leak(make_window(eval_batch={"samples": None}))
