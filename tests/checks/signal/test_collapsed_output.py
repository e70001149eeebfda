import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import LossGraph, Op
from stetho.checks.signal.collapsed_output import collapsed_output
from stetho.testing import make_window

SAME = {"output_spread": 1e-7, "output_std": 1.0}


def test_finds_outputs_that_are_all_the_same() -> None:
    finding = collapsed_output(make_window(batch=SAME, step={"loss": 2.3}))
    assert finding.severity == "warning"


@pytest.mark.parametrize(("call", "is_found"), [("mse_loss", True), ("cross_entropy", False)])
def test_compares_a_single_output_with_targets_that_are_no_numbers_of_classes(call: str, is_found: bool) -> None:
    batch = {"output_spread": 1e-5, "output_std": 1e-5, "target_std": 1.0, "loss_call": call}
    assert (collapsed_output(make_window(batch=batch, step={"loss": 1.0})) is not None) == is_found


def test_a_game_of_two_is_a_note() -> None:
    window = make_window(batch=SAME, step={"loss": 2.3, "optimizer": np.arange(60) % 2})
    assert collapsed_output(window).severity == "note"


def test_stays_quiet_when_only_the_start_is_the_same() -> None:
    spread = np.geomspace(1e-6, 1, 60)
    assert collapsed_output(make_window(batch={"output_spread": spread, "output_std": 1.0}, step={"loss": 2.3})) is None


def test_stays_quiet_when_the_loss_falls() -> None:
    assert collapsed_output(make_window(batch=SAME)) is None


def test_skips_runs_without_outputs() -> None:
    with pytest.raises(Skip):
        collapsed_output(make_window(batch={"output_spread": np.nan}))


def test_finds_a_loss_that_is_won_by_equal_answers() -> None:
    falling = np.geomspace(1.0, 1e-4, 60)
    batch = {"output_spread": falling, "output_std": 1.0}
    finding = collapsed_output(make_window(batch=batch, step={"loss": falling}))
    assert "of what they did at the start" in finding.title


@pytest.mark.parametrize(("spread", "is_found"), [(0.008, True), (0.5, False)])
def test_finds_directions_that_agree_for_any_input(spread: float, is_found: bool) -> None:
    ops = (Op("Mean"), Op("Mul", (32, 8), feeds=0, inputs=2), Op("LinalgVectorNorm", feeds=1, reads_output=True))
    same = {"output_spread": np.geomspace(0.9, spread, 60), "output_std": 1.0, "target_std": np.nan}
    window = make_window(batch=same, step={"loss": -0.99}, losses=[], loss_graphs=[LossGraph("train.py:9", ops)])
    assert (collapsed_output(window) is not None) == is_found
