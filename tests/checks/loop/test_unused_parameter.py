from dataclasses import replace

import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.unused_parameter import unused_parameter
from stetho.checks.run.facts import LossGraph
from stetho.testing import make_window
from stetho.testing.healthy import LAYERS, layer_of

USED = [layer_of(name, text, place) for place, (name, text) in enumerate(LAYERS.items())]
SPARE = layer_of("spare", "Linear(in_features=8, out_features=8, bias=False)", 5)
REACHED = [LossGraph(reached=("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"))]
NO_GRADIENT = {("spare.weight", "grad.rms"): None}


def with_spare(spare=SPARE, stats=NO_GRADIENT, graphs=REACHED):
    return make_window(layers=[*USED, spare], loss_graphs=graphs, stats=stats)


def test_finds_a_layer_of_the_program_that_is_never_called():
    found = unused_parameter(with_spare(replace(SPARE, calls=0)))
    assert (found.severity, found.where.parameter) == ("warning", "spare.weight")
    assert "64 of 484 parameters get no gradient: spare.weight is never called" in found.title


def test_finds_a_layer_whose_output_does_not_enter_the_loss():
    assert "not connected to the loss" in unused_parameter(with_spare()).title


@pytest.mark.parametrize("line", [None, "train.py:8"])
def test_is_a_note_in_a_ready_made_model(line):
    assert unused_parameter(with_spare(replace(SPARE, constructed=line))).severity == "note"


def test_is_a_note_after_a_single_step_which_other_data_may_follow():
    window = make_window(layers=[*USED, replace(SPARE, calls=0)], loss_graphs=REACHED, stats=NO_GRADIENT, steps=1)
    found = unused_parameter(window)
    assert (found.severity, found.confidence) == ("note", 0.5)
    assert "is not called in the step that was seen" in found.title


def test_stays_quiet_when_all_are_used():
    assert unused_parameter(make_window()) is None


def test_stays_quiet_on_parameters_that_get_a_gradient_from_another_loss():
    assert unused_parameter(with_spare(stats={})) is None


def test_is_skipped_without_the_graph_of_a_loss():
    with pytest.raises(Skip, match="the graph of no loss was recorded"):
        unused_parameter(with_spare(graphs=[]))


def test_tells_a_layer_that_is_called_from_one_that_is_not():
    called, never = (unused_parameter(with_spare(replace(SPARE, calls=calls))) for calls in (60, 0))
    assert ".item()" in called.try_next
    assert never.try_next.startswith("Use the layer in `forward`")
