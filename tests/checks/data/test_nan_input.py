import numpy as np
import pytest

from stetho.checks.data.nan_input import nan_input
from stetho.checks.declare import Skip
from stetho.checks.run.facts import Layer, Model
from stetho.testing import make_window

FROM_TEN = np.where(np.arange(1, 61) >= 10, 3, 0)


def losses(first: int) -> np.ndarray:
    return np.where(np.arange(1, 61) >= first, np.nan, 1.0)


def test_finds_nan_before_the_loss_is_nan() -> None:
    finding = nan_input(make_window(batch={"nan": FROM_TEN}, step={"loss": losses(10)}))
    assert (finding.severity, finding.steps.first) == ("error", 10)


def test_finds_infinite_values() -> None:
    finding = nan_input(make_window(batch={"max": np.inf}, step={"loss": losses(1)}))
    assert "infinite" in finding.title


def test_is_a_note_when_the_loss_stays_finite() -> None:
    assert nan_input(make_window(batch={"nan": FROM_TEN})).severity == "note"


def test_stays_quiet_on_numbers_and_on_what_comes_after_the_loss() -> None:
    assert nan_input(make_window()) is None
    assert nan_input(make_window(batch={"nan": FROM_TEN}, step={"loss": losses(5)})) is None


def test_what_one_model_hands_to_another_is_told_where_it_was_born() -> None:
    born = {"phase": "loss", "operation": "div", "trigger": "loss", "step": 10}
    for fault, is_told in ((born, False), (born | {"trigger": "hidden"}, True), (born | {"phase": "unknown"}, True)):
        probes = {"autopsy": {"faults": [fault]}}
        found = nan_input(make_window(batch={"nan": FROM_TEN}, step={"loss": losses(10)}, probes=probes))
        assert (found is not None) is is_told


def test_skips_inputs_that_were_not_looked_at() -> None:
    with pytest.raises(Skip):
        nan_input(make_window(batch={"nan": None}))


def test_finds_what_an_autopsy_traced_to_the_input() -> None:
    fault = {"phase": "data", "origin": "input 0", "trigger": "loss", "step": 9, "result": "nan", "index": [3, 7]}
    finding = nan_input(make_window(probes={"autopsy": {"faults": [fault]}}))
    assert "the input of the model has nan at [3, 7]" in finding.title
    assert finding.severity == "error"


def test_an_input_that_an_autopsy_names_is_made_where_the_text_says() -> None:
    fault = {"phase": "data", "origin": "input 0", "trigger": "loss", "step": 9, "line": "train.py:31"}
    models = [Model(0, "net", fed="train.py:5")]
    assert nan_input(make_window(probes={"autopsy": {"faults": [fault]}}, models=models)).where.line == 5


def test_points_at_what_may_have_made_them() -> None:
    models = [Model(0, "Net", fed="train.py:9")]
    facts = {"models": models, "loaders": [], "given": {"train.py:9": {"undefined": "train.py:4"}}}
    found = nan_input(make_window(batch={"nan": FROM_TEN, "loader": None}, step={"loss": losses(10)}, **facts))
    assert found.where.line == 4


def test_a_division_in_what_the_model_is_given_comes_before_where_the_data_are_made() -> None:
    fault = {"phase": "data", "origin": "input 0", "trigger": "loss", "step": 9, "line": "train.py:31"}
    facts = {
        "models": [Model(0, "net", fed="train.py:5")],
        "layers": [Layer("", "Net", called="train.py:31")],
        "given": {"train.py:31": {"undefined before": "train.py:8"}, "train.py:5": {"undefined": "train.py:2"}},
    }
    assert nan_input(make_window(probes={"autopsy": {"faults": [fault]}}, **facts)).where.line == 8


def test_names_the_operation_that_the_text_shows_there() -> None:
    fault = {"phase": "data", "origin": "input 0", "trigger": "loss", "step": 1, "line": "train.py:31", "result": "nan"}
    facts = {
        "models": [Model(0, "net", fed="train.py:5")],
        "layers": [Layer("", "Net", called="train.py:31")],
        "given": {"train.py:5": {"undefined": "train.py:2"}, "train.py:2": {"undefined operation": "div: x / s"}},
    }
    found = nan_input(make_window(probes={"autopsy": {"faults": [fault]}}, **facts))
    assert "the input of the model has nan, most likely from a division by 0 in `x / s`, which makes" in found.title
    assert "divisor" in found.try_next


FIGURE = "div by a figure of all: (x - x.mean()) / x.std()"


@pytest.mark.parametrize(
    ("bad", "is_divided", "line"), [([35], False, 5), ([0, 1, 2, 3], True, 2), ([3, 4], False, 5), ([], True, 2)]
)
def test_a_figure_of_all_samples_spares_none_of_them(bad: list[int], is_divided: bool, line: int) -> None:
    fault = {"phase": "data", "origin": "input 0", "trigger": "loss", "step": 1, "line": "train.py:31", "result": "nan"}
    facts = {
        "models": [Model(0, "net", fed="train.py:5")],
        "layers": [Layer("", "Net", called="train.py:31")],
        "given": {"train.py:5": {"undefined": "train.py:2"}, "train.py:2": {"undefined operation": FIGURE}},
    }
    faults = [fault | {"samples": bad, "batch_size": 64}]
    found = nan_input(make_window(probes={"autopsy": {"faults": faults}}, **facts))
    assert ("a division by 0" in found.title) is is_divided
    assert found.where.line == line
