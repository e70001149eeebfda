import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Between, Layer
from stetho.checks.signal.activation_scale import activation_scale
from stetho.testing import make_window


def test_finds_where_it_begins() -> None:
    finding = activation_scale(make_window(stats={("relu", "act.rms"): 5e4, ("fc2", "act.rms"): 8e4}))
    assert (finding.severity, finding.where.layer) == ("note", "relu")


def test_a_huge_size_is_a_warning() -> None:
    assert activation_scale(make_window(stats={("fc2", "act.rms"): 1e8})).severity == "warning"


def test_a_layer_that_is_the_whole_model_is_called_by_its_class() -> None:
    layers = [Layer("", "RNN", parameters=9), Layer("", "Linear", model=1, parameters=9)]
    window = make_window(layers=layers, stats={("", "act.rms"): 1e8})
    assert activation_scale(window).title.startswith("the output of RNN has")


def test_finds_a_signal_that_is_lost() -> None:
    assert activation_scale(make_window(stats={("fc1", "act.rms"): 1e-6})).where.layer == "fc1"


def test_stays_quiet_on_usual_sizes_and_on_zero() -> None:
    assert activation_scale(make_window()) is None
    assert activation_scale(make_window(stats={("fc2", "act.rms"): 0.0})) is None


def test_skips_runs_without_activations() -> None:
    with pytest.raises(Skip):
        activation_scale(make_window(stats={(name, "act.rms"): np.nan for name in ("fc1", "relu", "fc2")}))


def between(factor, **given):  # type: ignore[no-untyped-def]
    layers = [
        Layer("fc1", "Linear", "in_features=8, out_features=8, bias=True", parameters=72),
        Layer(
            "fc2",
            "Linear",
            "in_features=8, out_features=4, bias=True",
            parameters=36,
            called="train.py:20",
            between=(Between("Scale", (32, 8), factor=factor),),
        ),
    ]
    stats = {("fc1", "act.rms"): 0.5, ("fc2", "act.rms"): 0.1}
    unlabelled = {"batch": {"label_counts": None}, "eval_batch": {"label_counts": None}}
    return make_window(layers=layers, edges=[("fc1", "fc2")], stats=stats, **unlabelled, **given)


def test_finds_a_factor_that_takes_the_signal_away() -> None:
    finding = activation_scale(between(1 / 255, step={"loss": 2.3}))
    assert (finding.severity, finding.where.line, finding.where.layer) == ("error", 20, "fc2")


def test_stays_quiet_on_a_factor_in_a_model_that_learns_and_on_small_ones() -> None:
    assert activation_scale(between(1 / 255)) is None
    assert activation_scale(between(0.05, step={"loss": 2.3})) is None
