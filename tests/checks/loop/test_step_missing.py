import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.step_missing import step_missing
from stetho.testing import make_window

PARAMETERS = ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias")
STILL = {(name, "update.absmax"): 0.0 for name in PARAMETERS}
ORDER = "zero_grad forward backward"


def test_finds_an_optimizer_that_never_steps():
    found = step_missing(make_window(order=ORDER, stats=STILL))
    assert (found.severity, found.where.line, found.evidence["backward_passes"]) == ("error", 32, 60)
    assert "no step of Adam" in found.title


def test_stays_quiet_when_it_steps_once_in_a_while():
    assert step_missing(make_window(order=[*[ORDER] * 59, f"{ORDER} step"], stats=STILL)) is None


def test_stays_quiet_when_the_scaler_leaves_steps_out():
    assert step_missing(make_window(order=f"{ORDER} step(skipped)", stats=STILL)) is None


def test_stays_quiet_when_the_program_moves_the_parameters_itself():
    assert step_missing(make_window(order=ORDER)) is None


def test_stays_quiet_after_few_backward_passes():
    assert step_missing(make_window(steps=4, order=ORDER, stats=STILL)) is None


def test_is_skipped_without_an_optimizer():
    with pytest.raises(Skip, match="the program has no optimizer"):
        step_missing(make_window(optimizers=[]))
