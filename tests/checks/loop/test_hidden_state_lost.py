import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.hidden_state_lost import hidden_state_lost
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.run.series import Series
from stetho.testing import make_window


def recurrent(onward, inward=0.1, kind="GRUCell", calls=600, **given):
    layers = [Layer("cell", kind, calls=calls, called="model.py:12"), Layer("out", "Linear")]
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


def test_of_two_layers_only_the_one_is_named_whose_state_is_lost():
    layers = [Layer(name, "GRUCell", calls=9, called=f"model.py:{line}") for name, line in (("one", 3), ("two", 4))]
    parameters = [Parameter(f"{name}.weight_{way}", (2, 2), 4) for name in ("one", "two") for way in ("ih", "hh")]
    stats = {(each.name, "grad.absmax"): 0.1 for each in parameters} | {("two.weight_hh", "grad.absmax"): 0.0}
    found = hidden_state_lost(make_window(layers=layers, parameters=parameters, stats=stats))
    assert found.where.layer == "two"


def test_is_skipped_where_the_state_was_hardly_looked_at_or_the_layer_not_called():
    twice = Series(np.array([1, 2]), np.array([0.0, 0.0]))
    with pytest.raises(Skip):
        hidden_state_lost(recurrent(twice))
    with pytest.raises(Skip):
        hidden_state_lost(recurrent(None))
    with pytest.raises(Skip):
        hidden_state_lost(recurrent(0.0, inward=None))
    with pytest.raises(Skip):
        hidden_state_lost(recurrent(0.0, calls=0))


def test_is_skipped_for_weights_of_that_name_in_a_layer_of_another_kind():
    with pytest.raises(Skip):
        hidden_state_lost(recurrent(0.0, kind="Linear"))
