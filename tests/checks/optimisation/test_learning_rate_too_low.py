import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.learning_rate_too_low import learning_rate_too_low
from stetho.checks.run.facts import Scheduler
from stetho.testing import make_window

TINY = {("fc1.weight", "update.rms"): 1e-8, ("fc2.weight", "update.rms"): 1e-8}
FLAT = {"loss": 2.3 + 0.01 * np.sin(np.arange(60))}


def test_finds_weights_that_hardly_move() -> None:
    finding = learning_rate_too_low(make_window(step=FLAT, stats=TINY))
    assert finding.severity == "error"
    assert finding.evidence["update_ratio"] < 1e-6
    assert "Raise the learning rate" in finding.try_next


def test_a_rate_that_is_still_rising_is_a_note() -> None:
    window = make_window(step={**FLAT, "lr": np.linspace(1e-7, 1e-5, 60)}, stats=TINY)
    assert learning_rate_too_low(window).severity == "note"


def test_stays_quiet_on_a_healthy_run() -> None:
    assert learning_rate_too_low(make_window()) is None


def test_stays_quiet_on_a_flat_loss_with_healthy_updates() -> None:
    assert learning_rate_too_low(make_window(step=FLAT)) is None


def test_stays_quiet_on_small_updates_under_which_the_loss_falls() -> None:
    assert learning_rate_too_low(make_window(stats=TINY)) is None


def test_stays_quiet_when_nothing_moves_at_all() -> None:
    still = dict.fromkeys(TINY, 0.0)
    assert learning_rate_too_low(make_window(step=FLAT, stats=still)) is None


def test_skips_runs_without_gradients() -> None:
    none = {("fc1.weight", "grad.rms"): 0.0, ("fc2.weight", "grad.rms"): np.nan}
    with pytest.raises(Skip, match="no gradients"):
        learning_rate_too_low(make_window(stats=none))
    with pytest.raises(Skip, match="fewer than"):
        learning_rate_too_low(make_window(steps=10))


def test_names_the_schedule_that_took_the_rate_away() -> None:
    rates = 0.1 * 0.5 ** np.arange(60)
    schedule = Scheduler("StepLR", line="train.py:9")
    finding = learning_rate_too_low(make_window(step={**FLAT, "lr": rates}, stats=TINY, schedulers=[schedule]))
    assert "the rate falls from 0.1" in finding.title
    assert finding.where.line == 9


def test_tells_the_updates_and_not_the_rows() -> None:
    step = FLAT | {"step": [*range(1, 60), 5000]}
    assert learning_rate_too_low(make_window(step=step, stats=TINY)).title.startswith("5000 updates")


def test_first_batches_that_are_easier_than_most_are_no_level() -> None:
    """The losses of small batches differ by more than any training with such a rate changes them."""
    noisy = np.random.default_rng(0).gamma(4.0, 0.25, 600)
    noisy[:3] = 0.6
    for loss, is_found in ((noisy, True), (noisy * np.geomspace(3.0, 1.0, 600), False)):
        assert (learning_rate_too_low(make_window(steps=600, step={"loss": loss}, stats=TINY)) is not None) is is_found
