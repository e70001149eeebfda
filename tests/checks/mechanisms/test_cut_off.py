import pytest

from stetho.checks.mechanisms.cut_off import cut_off
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
