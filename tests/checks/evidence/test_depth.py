"""Weights in the order of the data flow."""

import numpy as np
import pytest

from stetho.checks.evidence.depth import following, late, weighted_layers, weights_by_depth, weights_in_a_row
from stetho.checks.run.facts import Edge, Parameter
from stetho.checks.run.series import Series
from stetho.testing import make_window

LINEAR = "Linear(in_features=16, out_features=16, bias=True)"
LAYERS = {"head": LINEAR, "relu": "ReLU()", "norm": "LayerNorm((16,), eps=1e-05)", "body": LINEAR}
EDGES = [Edge("body", "relu"), Edge("relu", "norm"), Edge("norm", "head")]


def test_weights_come_in_the_order_of_the_data_flow_with_their_gradients():
    stats = {("body.weight", "grad.rms"): 0.5, ("body.weight", "param.rms"): 0.25}
    first, last = weights_by_depth(make_window(layers=LAYERS, edges=EDGES, stats=stats))
    assert (first.parameter.name, last.parameter.name) == ("body.weight", "head.weight")
    assert (first.layer.name, first.gradient, first.gain) == ("body", 0.5, pytest.approx(1.0))


def test_the_model_with_most_weights_is_meant_unless_one_is_named():
    window = make_window(layers=LAYERS, edges=EDGES)
    assert weights_by_depth(window, model=7) == []
    assert len(weights_by_depth(window, model=0)) == 2


def test_there_may_be_no_weights():
    assert weights_by_depth(make_window(layers={"relu": "ReLU()"})) == []


def test_weighted_layers_are_linear_and_convolutional_ones():
    convolution = {"conv": "Conv2d(3, 8, kernel_size=(3, 3), stride=(1, 1))", "embed": "Embedding(16, 8)"}
    assert [layer.name for layer in weighted_layers(make_window(layers=convolution | {"fc": LINEAR}))] == ["conv", "fc"]


def test_what_follows_is_found_behind_layers_that_keep_channels_apart():
    window = make_window(layers=LAYERS, edges=EDGES)
    assert [layer.name for layer in following(window, window.layer("body"))] == ["head"], "behind a norm"
    direct = make_window(layers=LAYERS, edges=[Edge("body", "relu"), Edge("relu", "head"), Edge("relu", "body")])
    assert [layer.name for layer in following(direct, direct.layer("body"))] == ["head"]


def test_late_is_the_last_part_of_what_is_finite():
    series = Series(np.arange(6), np.array([1.0, 2.0, np.nan, 3.0, 4.0, np.inf]))
    assert late(series).tolist() == [3.0, 4.0]
    assert late(series, 0.25).tolist() == [4.0]
    assert late(None).tolist() == []


def test_gradients_may_be_those_of_the_beginning():
    falling = np.where(np.arange(60) < 30, 8.0, 2.0)
    window = make_window(steps=60, layers=LAYERS, edges=EDGES, stats={("body.weight", "grad.rms"): falling})
    assert weights_by_depth(window, until=20)[0].gradient == 8.0


def test_matrices_without_layers_stand_in_a_row_where_each_fits_to_the_next() -> None:
    def names(*shapes: tuple[int, ...]) -> list[str]:
        weights = [Parameter(f"w{n}", shape, 32) for n, shape in enumerate(shapes)]
        stats = {(weight.name, "param.rms"): 0.3 for weight in weights}
        return [
            each.parameter.name for each in weights_in_a_row(make_window(layers={}, parameters=weights, stats=stats))
        ]

    assert names((8, 16), (16, 32), (32, 1)) == ["w0", "w1", "w2"]
    assert names((16, 8), (32, 16), (1, 32)) == ["w0", "w1", "w2"], "used from the other side"
    assert names((8, 16), (8, 32), (32, 1)) == []
    assert names((8, 16), (16, 3, 3)) == []
