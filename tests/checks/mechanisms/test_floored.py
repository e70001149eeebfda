"""Inputs that are whole numbers and nearly all 0."""

import pytest

from stetho.checks.mechanisms.floored import floored_input
from stetho.checks.run.facts import Layer
from stetho.findings.finding import Finding
from stetho.testing import make_window

CUT = {"train.py:31": {"floored before": "train.py:4"}}
NEARLY_ALL = {"zeros": 632, "shape": [32, 20], "min": 0.0, "max": 1.0, "dtype": "float32"}
WRONG = {"label_counts": [[50, 50]] * 60, "correct": 60, "counted": 100}


def found(given: dict[str, dict[str, str]] = CUT, **changed: object) -> Finding | None:
    layers = [Layer("", "Net", called="train.py:31"), Layer("one", "Linear", "20, 2")]
    batch = NEARLY_ALL | WRONG | changed
    return floored_input(make_window(layers=layers, given=given, batch=batch, eval_batch={"label_counts": None}))


def test_finds_inputs_of_zeros_and_a_few_ones_behind_a_division_without_a_rest() -> None:
    finding = found()
    assert finding is not None
    assert (finding.where.line, "98.8% of the values of the input are 0" in finding.title) == (4, True)


@pytest.mark.parametrize(
    "changed",
    [
        {"max": 0.7},  # fractions are left
        {"zeros": 300},  # much more than 0 is left
        {"correct": 98},  # and it was enough
        {"given": {}},  # ones and zeros as they are
    ],
)
def test_stays_quiet_where_that_is_what_the_data_are(changed: dict[str, object]) -> None:
    assert found(**changed) is None
