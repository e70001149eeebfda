from dataclasses import replace

import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.weights_shared_by_accident import weights_shared_by_accident
from stetho.checks.run.facts import Edge, Layer, Parameter
from stetho.testing import make_window
from stetho.testing.healthy import layer_of

LINEAR = "Linear(in_features=8, out_features=8, bias=True)"
NORM = "BatchNorm1d(8, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)"


def held(kind="ModuleList", *, name="heads.0", also=("heads.1", "heads.2"), text=LINEAR, calls=3, window=None, **more):
    """A window with one module of several names, called so many times in a pass."""
    holder = Layer(name.rpartition(".")[0], kind, calls=0)
    shared = replace(layer_of(name, text, 1), also=also, **more)
    return make_window(layers=[holder, shared], edges=[], stats={(name, "act.calls"): calls}, **(window or {}))


def reused(text=NORM, sources=("conv1", "conv2"), calls=2, calls_of_sources=1):
    layers = dict.fromkeys(sources, LINEAR) | {"norm": text}
    stats = {(name, "act.calls"): calls_of_sources for name in sources} | {("norm", "act.calls"): calls}
    return make_window(layers=layers, edges=[Edge(source, "norm") for source in sources], stats=stats)


@pytest.mark.parametrize("kind", ["ModuleList", "ModuleDict", "Sequential"])
def test_finds_a_module_that_a_list_holds_several_times(kind):
    (found,) = weights_shared_by_accident(held(kind))
    assert (found.severity, found.where.layer) == ("warning", "heads.0")
    assert "3 names" in found.title


def test_finds_two_names_that_are_given_the_same_tensor():
    (found,) = weights_shared_by_accident(held("Net", name="query", also=("key",), calls=2, given_twice=True))
    assert found.severity == "warning"


def test_finds_a_batch_norm_behind_several_layers():
    (found,) = weights_shared_by_accident(reused())
    assert (found.severity, found.where.layer) == ("warning", "norm")


def test_finds_a_batch_norm_that_several_blocks_hold():
    assert weights_shared_by_accident(held("Block", name="a.norm", also=("b.norm",), text=NORM, calls=2)) is not None


def test_two_names_in_one_module_are_a_note_and_in_two_modules_nothing():
    (found,) = weights_shared_by_accident(held("Net", name="first", also=("second",), calls=2))
    assert found.severity == "note"
    assert weights_shared_by_accident(held("Encoder", name="encoder.embed", also=("decoder.embed",), calls=2)) is None


@pytest.mark.parametrize(("correct", "severity"), [(60, "warning"), (95, "note")])
def test_two_names_in_one_module_are_a_warning_where_the_model_hardly_beats_a_guess(correct, severity):
    answers = {"label_counts": [[50, 50]] * 60, "correct": correct, "counted": 100}
    window = {"steps": 60, "batch": answers, "eval_batch": {"label_counts": None}}
    (found,) = weights_shared_by_accident(held("Net", name="first", also=("second",), calls=2, window=window))
    assert found.severity == severity


def test_stays_quiet_on_one_name_that_is_called_many_times():
    assert weights_shared_by_accident(held(also=(), calls=12)) is None
    assert weights_shared_by_accident(make_window()) is None


def test_stays_quiet_on_tied_parameters():
    tied = Parameter("embed.weight", (16, 8), 128, shared_with=("head.weight",))
    assert weights_shared_by_accident(make_window(parameters=[tied])) is None


@pytest.mark.parametrize("text", ["ReLU()", "PReLU(num_parameters=1)"])
def test_stays_quiet_on_activations(text):
    assert weights_shared_by_accident(held("Sequential", text=text)) is None


def test_stays_quiet_when_only_one_of_the_names_is_used():
    assert weights_shared_by_accident(held(calls=1)) is None


def test_stays_quiet_on_a_batch_norm_in_a_recurrence_and_behind_a_sum():
    assert weights_shared_by_accident(reused(calls_of_sources=2)) is None
    assert weights_shared_by_accident(reused(calls=1)) is None
    assert weights_shared_by_accident(reused(NORM.replace("stats=True", "stats=False"))) is None


def test_counts_calls_in_a_pass_and_not_in_a_step():
    passes_twice = held(calls=2)
    assert weights_shared_by_accident(passes_twice) is not None
    layers = [*passes_twice.layers]
    accumulating = make_window(layers=layers, edges=[], step={"forwards": 2}, stats={("heads.0", "act.calls"): 2})
    assert weights_shared_by_accident(accumulating) is None


def test_is_skipped_when_no_layer_was_called():
    with pytest.raises(Skip, match="no layer was called"):
        weights_shared_by_accident(make_window(layers=[Layer("fc", "Linear", calls=0)]))
