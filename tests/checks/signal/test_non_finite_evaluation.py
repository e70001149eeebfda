from stetho.checks.signal.non_finite_evaluation import non_finite_evaluation
from stetho.checks.signal.non_finite_value import non_finite_value
from stetho.testing import make_window

LOSS = {
    "step": 40, "trigger": "evaluation", "victim": "loss", "phase": "forward", "operation": "div",
    "expression": "0 / 0", "line": "net.py:3", "layer": "head", "result": "nan", "index": [1], "faithful": True,
    "chain": [{"operation": "addmm"}],
}  # fmt: skip


def window(*faults):
    return make_window(probes={"autopsy": {"faults": list(faults)}})


def test_finds_the_operation_behind_the_loss_of_an_evaluation() -> None:
    (finding,) = non_finite_evaluation(window(LOSS))
    assert (finding.severity, finding.where.layer, finding.where.line) == ("error", "head", 3)
    assert finding.title == "0 / 0 = nan at [1] makes the loss NaN or infinite in the evaluation after step 40"
    assert dict(finding.evidence)["way"] == "addmm → loss"


def test_other_numbers_and_outputs_are_a_warning() -> None:
    (value,) = non_finite_evaluation(window(LOSS | {"victim": "value"}))
    (output,) = non_finite_evaluation(window(LOSS | {"victim": "output", "step": 0}))
    assert (value.severity, output.severity) == ("warning", "warning")
    assert "makes a result NaN in the evaluation after step 40" in value.title
    assert "makes the output of the model NaN in the evaluation before the first step" in output.title


def test_tells_a_parameter_that_only_the_evaluated_model_has() -> None:
    (finding,) = non_finite_evaluation(window(LOSS | {"phase": "initial", "name": "scale", "result": "nan"}))
    assert finding.title.startswith("parameter scale is nan at [1], which makes the loss NaN")


def test_stays_quiet_where_training_has_a_fault_or_nothing_is_known() -> None:
    assert non_finite_evaluation(window(LOSS, LOSS | {"trigger": "loss"})) is None
    assert non_finite_evaluation(window(LOSS | {"phase": "unknown"})) is None
    assert non_finite_evaluation(make_window()) is None


def test_no_other_check_tells_it() -> None:
    assert non_finite_value(window(LOSS)) is None
