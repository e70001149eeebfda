import numpy as np
import pytest

from stetho.checks.evidence.inputs import (
    data_line,
    feature_moments,
    first_layer,
    gives_one_batch,
    is_fed_by_another,
    order_line,
    overall,
    prepared_line,
    reads_inputs_raw,
    stacked,
    trained_inputs,
    trains_badly,
)
from stetho.checks.run.facts import Edge, Layer, Model
from stetho.testing import make_window


def test_gives_the_floating_point_inputs_of_trained_models() -> None:
    assert [model.id for model, _ in trained_inputs(make_window())] == [0]
    assert list(trained_inputs(make_window(batch={"dtype": "int64"}))) == []
    assert list(trained_inputs(make_window(models=[Model(0, "teacher", is_trained=False)]))) == []


def test_the_first_layer_has_weights_or_normalises() -> None:
    window = make_window(layers={"flat": "Flatten()", "norm": "BatchNorm1d(8)", "fc": "Linear(8, 4)"})
    assert first_layer(window, 0).name == "norm"
    assert not reads_inputs_raw(window, 0, 100.0)


def test_sees_through_the_first_layer_how_large_its_input_is() -> None:
    assert reads_inputs_raw(make_window(stats={("fc1", "act.rms"): 90.0}), 0, 100.0)
    assert not reads_inputs_raw(make_window(stats={("fc1", "act.rms"): 0.5}), 0, 100.0)
    assert reads_inputs_raw(make_window(layers=[Layer("rnn", "LSTM", parameters=96)]), 0, 100.0)


def test_moments_over_all_batches() -> None:
    rows = make_window(batch={"mean": np.tile([-1.0, 1.0], 30), "std": 1.0}).batches("train")
    assert overall(rows) == (0.0, pytest.approx(np.sqrt(2)))
    means, deviations = feature_moments(rows)
    assert len(means) == len(deviations) == 8


def test_rows_of_other_lengths_are_left_out() -> None:
    rows = make_window(batch={"feature_mean": [[1.0, 2.0]] * 59 + [[1.0]]}).batches("train")
    assert stacked(rows, "feature_mean").shape == (59, 2)
    assert feature_moments(make_window(batch={"feature_mean": None}).batches("train"))[0].size == 0


def test_the_line_of_the_loader_or_of_the_call() -> None:
    assert data_line(make_window()) == "train.py:28"
    assert data_line(make_window(batch={"loader": None})) != "train.py:28"


def test_the_line_of_the_transform_or_of_the_data_before_that_of_the_loader() -> None:
    made, transform = {"dataset": "data.py:4"}, {"transform": "data.py:7"}
    assert prepared_line(make_window()) == "train.py:28"
    assert prepared_line(make_window(given={"train.py:28": made})) == "data.py:4"
    assert prepared_line(make_window(given={"train.py:28": made | transform})) == "data.py:7"


def test_a_loss_that_does_not_fall_or_is_not_finite_is_bad() -> None:
    assert not trains_badly(make_window())
    assert trains_badly(make_window(step={"loss": 1.4}))
    assert trains_badly(make_window(step={"loss": np.where(np.arange(60) > 50, np.nan, np.linspace(2, 0.1, 60))}))


def test_the_order_of_samples_is_said_by_the_loader_or_by_the_rows_that_are_taken() -> None:
    models = [Model(0, "net", ordered="train.py:5")]
    assert order_line(make_window(models=models)) == "train.py:28"
    by_hand = {"loader": None}
    assert order_line(make_window(models=models, loaders=[], batch=by_hand, eval_batch=by_hand)) == "train.py:5"


def test_one_batch_in_every_step_counts_where_no_loader_gives_it() -> None:
    assert gives_one_batch(make_window(batch={"loader": None, "hash": 7.0}))
    assert not gives_one_batch(make_window(batch={"loader": 0.0, "hash": 7.0}))
    assert not gives_one_batch(make_window(batch={"loader": None, "hash": np.arange(60.0) % 2}))


def test_a_head_is_fed_by_the_body_beside_it() -> None:
    two = [Model(0, "body"), Model(1, "head")]
    for source, models, is_fed in (("fc1", two, True), ("(input)", two, False), ("fc1", two[1:], False)):
        window = make_window(models=models, edges=[Edge(source, "relu", model=1), Edge("relu", "fc2", model=1)])
        assert is_fed_by_another(window, 1) is is_fed
    assert not is_fed_by_another(make_window(models=two, edges=[]), 1)
