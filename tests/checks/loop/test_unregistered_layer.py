from dataclasses import replace

from stetho.checks.loop.unregistered_layer import unregistered_layer
from stetho.testing import make_window
from stetho.testing.healthy import layer_of

HIDDEN = replace(layer_of("Linear@net.py:7", "Linear(in_features=8, out_features=8, bias=True)", 1), registered=False)
HEAD = layer_of("head", "Linear(in_features=8, out_features=4, bias=True)", 2)


def test_finds_a_layer_that_the_model_calls_and_does_not_know():
    found = unregistered_layer(make_window(layers=[HIDDEN, HEAD]))
    assert (found.severity, found.where.layer, found.evidence["parameters"]) == ("error", "Linear@net.py:7", 72)
    assert "1 layer with 72 parameters" in found.title


def test_counts_all_of_them():
    other = replace(HIDDEN, name="Linear@net.py:7#2")
    assert "2 layers with 144 parameters" in unregistered_layer(make_window(layers=[HIDDEN, other, HEAD])).title


def test_stays_quiet_when_all_are_registered():
    assert unregistered_layer(make_window()) is None


def test_stays_quiet_on_layers_without_parameters_and_on_those_never_called():
    assert unregistered_layer(make_window(layers=[replace(HIDDEN, parameters=0), HEAD])) is None
    assert unregistered_layer(make_window(layers=[replace(HIDDEN, calls=0), HEAD])) is None


def test_stays_quiet_on_a_frozen_one_without_gradients():
    assert unregistered_layer(make_window(layers=[HIDDEN, HEAD], stats={(HIDDEN.name, "act_grad.rms"): None})) is None


def test_points_at_the_list_that_holds_it():
    given = {HIDDEN.line: {"held": "net.py:99"}}
    assert unregistered_layer(make_window(layers=[HIDDEN, HEAD], given=given)).where.line == 99
