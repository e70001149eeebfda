"""`make_window` gives a healthy run, save for what a test says."""

import numpy as np
import pytest

from stetho.checks.run.facts import Edge, Layer, Optimizer, Parameter
from stetho.checks.run.reading import read_window
from stetho.checks.run.series import Series
from stetho.testing import make_window


def test_the_default_is_complete() -> None:
    window = make_window()
    assert window.count == 60
    assert [layer.name for layer in window.forward_order] == ["fc1", "relu", "fc2"]
    assert [parameter.name for parameter in window.parameters] == ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]
    assert all(window.parameter_stat("grad.rms", parameter) is not None for parameter in window.parameters)
    assert window.loss_series().first > window.loss_series().last > 0
    assert window.batches("eval").count == 3


def test_has_every_column_that_a_read_window_has() -> None:
    made = make_window(steps=1)
    for table in (made.steps, made.batches(), made.batches("eval")):
        assert all(len(table[name]) == table.count for name in table)
    assert read_window.__module__  # the schemas come from the same place: stetho.store.format


def test_parameters_edges_and_stats_follow_from_the_layers() -> None:
    window = make_window(
        layers={
            "emb": "Embedding(100, 16)",
            "conv": "Conv2d(3, 8, kernel_size=(5, 5), bias=False)",
            "norm": "BatchNorm2d(8, eps=1e-05)",
            "act": "ReLU()",
            "out": "Linear(8, 2)",
        }
    )
    assert {parameter.name: parameter.shape for parameter in window.parameters} == {
        "emb.weight": (100, 16),
        "conv.weight": (8, 3, 5, 5),
        "norm.weight": (8,),
        "norm.bias": (8,),
        "out.weight": (2, 8),
        "out.bias": (2,),
    }
    assert window.edges[0] == Edge("emb", "conv")
    assert window.layers[1].parameters == 600
    zeros = window.layer_stat("act.zero_share", "act", "eval")
    assert zeros is not None
    assert zeros.last == 0.5


def test_layers_can_be_given_as_they_are() -> None:
    window = make_window(layers=[Layer("fc", "Linear", "in_features=2, out_features=3")], edges=[("fc", "fc")])
    assert (window.parameters[0].shape, window.edges) == ((3, 2), (Edge("fc", "fc"),))


def test_a_frozen_parameter_has_no_gradient() -> None:
    window = make_window(parameters=[Parameter("fc1.weight", (2, 2), 4, optimizer=None)])
    assert window.parameter_stat("param.rms", "fc1.weight") is not None
    assert window.parameter_stat("grad.rms", "fc1.weight") is None


def test_facts_columns_stats_and_metrics_can_be_set() -> None:
    window = make_window(
        steps=4,
        step={"loss": [4, 3, 2, 1], "lr": None},
        stats={("fc1", "act.rms", "eval"): Series(np.array([2]), np.array([9.0]))},
        batch={"size": 1},
        eval_batch={"loss": [1.0, 2.0]},
        metrics={},
        optimizers=[Optimizer(0, "SGD")],
    )
    stat = window.layer_stat("act.rms", "fc1", "eval")
    assert stat is not None
    assert stat.steps.tolist() == [2]
    assert window.loss_series().values.tolist() == [4, 3, 2, 1]
    assert np.isnan(window.steps["lr"]).all()
    assert set(window.batches()["size"]) == {1.0}
    assert window.batches("eval")["loss"].tolist() == [1.0, 2.0]
    assert window.metric("accuracy") is None
    assert window.optimizers[0].kind == "SGD"


def test_a_layer_that_is_none_is_an_error() -> None:
    with pytest.raises(ValueError, match="is no layer"):
        make_window(layers={"fc": "Linear(8"})
