"""What is left to chance."""

from stetho.comparing.runs.data import compare_data
from stetho.comparing.runs.randomness import randomness_of
from stetho.comparing.runs.recorded import Recorded
from tests.comparing.trainings import Net, Record


def left(one, other) -> list[str]:
    sides = Recorded(one), Recorded(other)
    return randomness_of(*sides, compare_data(*sides))


def test_dropout_is_counted_where_it_drops(record: Record) -> None:
    dropping = record(steps=1, model=lambda: Net(drop=0.5))
    assert left(dropping, dropping)[0] == "dropout in 1 layer"
    assert left(record(steps=1), dropping)[0] == "dropout in 1 layer (second run alone)"


def test_nothing_is_left_where_nothing_is_drawn(record: Record) -> None:
    assert left(record(steps=1), record(steps=1)) == []


def test_a_shuffled_loader_is_said_to_give_the_same_order(record: Record) -> None:
    one, other = record(steps=1), record(steps=1)
    one.model["loaders"] = [{"dataset": "Images", "shuffled": True, "workers": 2}]
    found = left(one, other)
    assert "shuffling of Images: the same order in both runs" in found
    assert "2 workers that load data" in found
