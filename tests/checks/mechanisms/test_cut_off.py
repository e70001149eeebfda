import pytest

from stetho.checks.mechanisms.cut_off import cut_off
from stetho.checks.run.facts import Loss
from stetho.testing import make_window

LINES = {"whole numbers": ["train.py:9"]}
WHOLE = {"loss_call": "mse_loss", "target_min": -1.0, "target_max": 1.0, "target_mean": 0.125, "size": 32.0, "max": 2.3}


def judged(lines=LINES, **change):
    return cut_off(make_window(lines=lines, batch=WHOLE | change))


def test_finds_targets_that_have_lost_their_fractions():
    assert judged().where.line == 9
    assert "whole numbers between -1 and 1" in judged().title


@pytest.mark.parametrize(
    "change",
    [
        {"target_mean": 0.12},
        {"target_min": 0.0},
        {"target_max": 40.0},
        {"max": 3.0},
        {"loss_call": "cross_entropy"},
        {"lines": {}},
    ],
    ids=["fractions", "counts", "large", "whole inputs", "classes", "nothing written"],
)
def test_stays_quiet_on_what_is_whole_by_nature_or_not_whole(change):
    assert judged(**change) is None


def test_stays_quiet_on_few_batches():
    assert cut_off(make_window(steps=5, lines=LINES, batch=WHOLE)) is None


NOTHING = WHOLE | {"target_min": 0.0, "target_max": 0.0, "target_mean": 0.0}


def left(lines=None, shape="float32[32, 1]", **change):
    losses = [Loss("mse_loss", "train.py:20", target=shape)]
    return cut_off(make_window(lines=lines or {"made whole": ["train.py:12"]}, losses=losses, batch=NOTHING | change))


def test_finds_targets_of_which_nothing_is_left_where_they_are_made_whole():
    assert (left().where.line, "all targets are 0" in left().title) == (12, True)
    few = [1 / 32 if step == 7 else 0.0 for step in range(60)]
    assert "all targets but 1 of 1920 are 0" in left(target_mean=few, target_max=[32 * one for one in few]).title


@pytest.mark.parametrize(
    "change",
    [
        {"target_mean": 0.125, "target_max": 1.0},
        {"shape": "float32[32, 500]"},
        {"lines": LINES},
        {"max": 3.0},
        {"size": 4.0},
    ],
    ids=["events", "words", "nothing made whole", "whole inputs", "few samples"],
)
def test_stays_quiet_on_targets_that_are_rarely_anything_but_0(change):
    assert left(**change) is None
