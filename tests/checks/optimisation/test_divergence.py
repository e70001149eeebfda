import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.divergence import divergence
from stetho.testing import make_window


def test_finds_a_loss_that_grows() -> None:
    finding = divergence(make_window(step={"loss": np.geomspace(1, 1e4, 60)}))
    assert finding.severity == "error"
    assert finding.steps.first > 1


def test_finds_a_loss_that_is_no_number() -> None:
    finding = divergence(make_window(step={"loss": [1.0] * 30 + [np.nan] * 30}))
    assert finding.steps.first == 31


def test_the_loss_of_one_of_two_players_is_a_note() -> None:
    window = make_window(step={"loss": np.geomspace(1, 100, 60), "optimizer": np.arange(60) % 2})
    assert divergence(window).severity == "note"


def test_stays_quiet_on_a_falling_loss() -> None:
    assert divergence(make_window()) is None


def test_stays_quiet_on_a_single_loss_that_is_no_number() -> None:
    assert divergence(make_window(step={"loss": [1.0] * 30 + [np.nan] + [0.5] * 29})) is None


def test_skips_very_short_runs() -> None:
    with pytest.raises(Skip):
        divergence(make_window(steps=4))
