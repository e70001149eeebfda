import pytest

from stetho.checks.declare import Skip
from stetho.checks.signal.non_finite_value import non_finite_value
from stetho.testing import make_window

LOG = {
    "step": 12, "trigger": "loss", "value": "inf", "faithful": True, "phase": "loss", "operation": "log",
    "expression": "log(0)", "why": "the logarithm of 0 is minus infinity", "prevention": "keep it away from 0",
    "growth": False, "line": "train.py:16", "layer": None, "chain": [{"operation": "mean"}], "result": "-inf",
    "index": [3, 7], "samples": [3], "batch_size": 32, "inputs": [{"name": "self", "text": "float32[32, 10]"}],
}  # fmt: skip


def window(**changed):
    return make_window(probes={"autopsy": {"faults": [LOG | changed]}})


def test_names_the_operation_with_its_value_and_its_line() -> None:
    (finding,) = non_finite_value(window())
    assert finding.title == "log(0) = -inf at [3, 7] makes the loss NaN or infinite in step 12"
    assert (finding.where.file, finding.where.line, finding.steps.first) == ("train.py", 16, 12)
    assert finding.try_next == "Keep it away from 0."
    assert finding.evidence["samples_of_the_batch"] == "3 of 32"
    assert finding.evidence["way"] == "mean → loss"


def test_what_nan_to_num_hides_is_a_note() -> None:
    (finding,) = non_finite_value(window(trigger="hidden"))
    assert finding.severity == "note"


def test_what_the_loss_does_not_feel_is_a_warning() -> None:
    (finding,) = non_finite_value(window(trigger="parameter", phase="optimizer", name="table.weight"))
    assert finding.severity == "warning"
    assert "the loss is finite so far" in finding.title


def test_is_less_sure_of_a_step_that_came_out_otherwise() -> None:
    (finding,) = non_finite_value(window(faithful=False))
    assert finding.confidence < 0.9


def test_leaves_overflow_to_another_check() -> None:
    assert non_finite_value(window(growth=True)) is None


def test_stays_quiet_on_a_run_without_autopsy() -> None:
    assert non_finite_value(make_window()) is None


def test_a_gradient_that_was_used_is_told_without_its_birth() -> None:
    fault = {"step": 7, "trigger": "gradient", "value": "inf", "phase": "unknown"}
    (finding,) = non_finite_value(make_window(probes={"autopsy": {"faults": [fault]}}, lines={"backward": ("a.py:9",)}))
    assert finding.title.startswith("the gradient is inf in step 7")
    assert "the step came out finite" in finding.title
    assert (finding.where.line, finding.steps.first, finding.severity) == (9, 7, "error")
    assert "--from-step 7" in finding.try_next


def test_skips_a_step_that_could_not_be_run_again() -> None:
    with pytest.raises(Skip, match="RuntimeError"):
        non_finite_value(make_window(probes={"autopsy": {"faults": [{"step": 1, "failed": "RuntimeError: no"}]}}))
