import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.optimisation.loss_plateau import loss_plateau
from stetho.testing import make_window


def flat(steps: int) -> np.ndarray:
    return 2.3 + 0.02 * np.sin(np.arange(steps) * 2.4)


def test_finds_a_loss_that_stays() -> None:
    finding = loss_plateau(make_window(steps=150, step={"loss": flat(150)}))
    assert finding.severity == "warning"
    assert "after 150 steps" in finding.title


def test_a_short_run_or_an_unknown_loss_is_a_note() -> None:
    assert loss_plateau(make_window(steps=50, step={"loss": flat(50)})).severity == "note"
    assert loss_plateau(make_window(steps=150, step={"loss": flat(150)}, losses=[])).severity == "note"


def test_stays_quiet_on_a_falling_loss() -> None:
    assert loss_plateau(make_window()) is None


def test_stays_quiet_on_losses_that_are_no_numbers_or_negative() -> None:
    assert loss_plateau(make_window(step={"loss": np.nan})) is None
    assert loss_plateau(make_window(step={"loss": -1.0})) is None


def test_skips_very_short_runs() -> None:
    with pytest.raises(Skip):
        loss_plateau(make_window(steps=10))


def test_an_evaluation_after_the_last_loss_that_was_seen_tells_that_the_plateau_was_left() -> None:
    def judged(correct: int, last: int) -> object:
        passes = {
            "step": np.linspace(50, last, 7).astype(int), "label_counts": [16, 16, 16, 16], "counted": 64, "size": 64,
            "correct": correct,
        }  # fmt: skip
        return loss_plateau(make_window(steps=150, step={"loss": flat(150)}, eval_batch=passes))

    assert judged(correct=60, last=300) is None
    assert judged(correct=16, last=300) is not None
    assert judged(correct=60, last=140) is not None
