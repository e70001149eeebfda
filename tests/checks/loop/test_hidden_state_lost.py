import pytest

from stetho.checks.declare import Skip
from stetho.checks.facts import Layer, Parameter
from stetho.checks.loop.hidden_state_lost import hidden_state_lost
from stetho.testing import make_window


def recurrent(onward, inward=0.1, kind="GRUCell", **given):
    layers = [Layer("cell", kind, calls=600, called="model.py:12"), Layer("out", "Linear")]
    parameters = [Parameter("cell.weight_ih", (24, 2), 48), Parameter("cell.weight_hh", (24, 8), 192)]
    stats = {("cell.weight_ih", "grad.absmax"): inward, ("cell.weight_hh", "grad.absmax"): onward}
    return make_window(layers=layers, parameters=parameters, stats=stats, **given)


@pytest.mark.parametrize("kind", ["GRUCell", "LSTM", "RNNCell"])
def test_finds_a_layer_whose_state_is_always_zero(kind):
    found = hidden_state_lost(recurrent(0.0, kind=kind))
    assert (found.severity, found.where.line, found.where.layer) == ("error", 12, "cell")


def test_stays_quiet_when_the_state_is_handed_on():
    assert hidden_state_lost(recurrent(0.02)) is None


def test_stays_quiet_on_a_layer_that_gets_no_gradient_at_all():
    assert hidden_state_lost(recurrent(0.0, inward=0.0)) is None


def test_is_a_note_when_the_result_is_good():
    right = {"label_counts": [[50, 50]] * 60, "correct": 99, "counted": 100}
    none = {"label_counts": None}
    assert hidden_state_lost(recurrent(0.0, batch=right, eval_batch=none)).severity == "note"


def test_is_skipped_without_a_recurrent_layer():
    with pytest.raises(Skip):
        hidden_state_lost(make_window())
