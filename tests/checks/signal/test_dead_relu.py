import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.run.facts import Between, Edge, Layer
from stetho.checks.signal.dead_relu import dead_relu
from stetho.testing import make_window


def test_finds_a_layer_that_gives_only_zeros() -> None:
    finding = dead_relu(make_window(stats={("relu", "act.zeros"): 1024}))
    assert (finding.severity, finding.where.layer) == ("error", "relu")
    assert "100.00%" in finding.title


def test_tells_when_it_died() -> None:
    zeros = np.where(np.arange(60) < 20, 500, 1024)
    assert "from step 21 on" in dead_relu(make_window(stats={("relu", "act.zeros"): zeros})).title


def test_finds_a_dead_function_behind_a_layer() -> None:
    layers = {"fc1": "Linear(8, 8)", "fc2": "Linear(8, 8)"}
    window = make_window(layers=layers, edges=[Edge("fc1", "fc2", ("Relu",))], stats={("fc1", "act.max"): -0.5})
    assert dead_relu(window).where.layer == "fc1"


def test_a_sparse_layer_is_a_note() -> None:
    assert dead_relu(make_window(stats={("relu", "act.zeros"): 1004})).severity == "note"


def test_stays_quiet_on_half_of_zeros() -> None:
    assert dead_relu(make_window()) is None


def test_stays_quiet_on_a_layer_that_recovers() -> None:
    zeros = np.where(np.arange(60) < 20, 1024, 500)
    assert dead_relu(make_window(stats={("relu", "act.zeros"): zeros})) is None


def test_skips_models_without_relu() -> None:
    with pytest.raises(Skip):
        dead_relu(make_window(layers={"fc1": "Linear(8, 8)", "tanh": "Tanh()"}))


def test_an_end_that_is_mostly_zero_is_a_note_when_the_loss_falls() -> None:
    layers = {"fc1": "Linear(8, 8)", "relu": "ReLU()"}
    assert dead_relu(make_window(layers=layers, stats={("relu", "act.zeros"): 1024})).severity == "note"


def test_finds_a_shift_that_closes_a_function_from_the_start() -> None:
    linear = "in_features=8, out_features=8, bias=True"
    closed = Layer("fc2", "Linear", linear, between=(Between("Relu", (32, 8), slope=0.0),))
    edges = [Edge("fc1", "fc2", ("Sub", "Relu"))]
    layers, still = [Layer("fc1", "Linear", linear), closed], {("fc1.weight", "grad.absmax"): 0.0}
    assert dead_relu(make_window(layers=layers, edges=edges, stats=still)).where.layer == "fc1"
    with pytest.raises(Skip):
        dead_relu(make_window(layers=layers, edges=edges))
