import numpy as np
import pytest

from stetho.checks.loop.repeated_batch import repeated_batch
from stetho.checks.mechanisms.overlapping import overlapping
from stetho.testing import make_window

STARTS = np.arange(60) % 20


def sliding(starts=STARTS, size=16, step=1, **given):
    """Batches that begin at these samples, in steps of `step` of them."""
    samples = [np.arange(start * step, start * step + size) for start in starts]
    batch = {"samples": samples, "hash": [float(start) for start in starts], "size": size, "loader": None}
    return make_window(batch=batch, **given)


def test_finds_windows_that_slide_over_the_same_samples_again_and_again():
    found = overlapping(sliding())
    assert found.title.startswith("each batch of 16 begins 1 sample after the one before, and repeats the other 15")
    assert found.evidence["different_samples"] == 35.0
    assert "3 samples after" in overlapping(sliding(step=3)).title


def test_it_is_a_repeated_batch():
    assert "begins 1 sample after" in repeated_batch(sliding()).title


@pytest.mark.parametrize("step", [16, 12])
def test_stays_quiet_on_batches_that_share_little_or_nothing(step):
    assert overlapping(sliding(step=step)) is None


def test_stays_quiet_on_a_stream_that_is_gone_through_once():
    assert overlapping(sliding(np.arange(60))) is None


def test_stays_quiet_on_the_same_batch_and_on_samples_drawn_at_random():
    assert overlapping(sliding(np.zeros(60, int))) is None
    assert overlapping(sliding(np.random.default_rng(0).integers(0, 20, 60))) is None


def test_stays_quiet_where_rows_are_the_steps_of_a_sequence():
    assert overlapping(sliding(layers={"rnn": "LSTM(8, 16)"})) is None


def test_stays_quiet_where_only_some_samples_of_a_batch_were_looked_at():
    window = sliding()
    assert overlapping(make_window(batch={"samples": window.batches("train")["samples"], "size": 64})) is None
