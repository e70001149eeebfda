"""Layers and parameters with their last numbers."""

from typing import Any

import pytest

from stetho.views.layers import Subject, layer_table, layers_of, parameter_table, parameters_of

Record = Any


def test_layers_come_in_the_order_of_the_model_and_then_what_was_only_measured(record: Record) -> None:
    layers = layers_of(record())
    assert [layer.name for layer in layers] == ["", "fc1", "silent", "unlisted"]
    fc1 = layers[1]
    assert (fc1.step, fc1.stats["act.mean"], fc1.stats["act_grad.rms"]) == (4, 4.0, pytest.approx(4.2))
    assert layers[2].stats == {}


def test_the_table_of_layers_shows_the_last_numbers(record: Record) -> None:
    columns, rows = layer_table(layers_of(record()))
    assert [column.title for column in columns] == [
        "layer", "class", "output", "step", "mean", "std", "absmax", "zeros", "grad rms",
    ]  # fmt: skip
    assert rows[0][:4] == ["(root)", "Net", "float32[8, 10]", "–"]
    assert rows[1] == ["fc1", "Linear", "float32[8, 4]", "4", "4", "4", "4", "25 %", "4.2"]
    assert rows[3][:4] == ["unlisted", "–", "–", "4"]


def test_the_table_of_parameters_shows_value_gradient_and_update(record: Record) -> None:
    columns, rows = parameter_table(parameters_of(record()))
    assert [column.title for column in columns] == [
        "parameter", "shape", "step", "value rms", "grad rms", "update/value", "not finite",
    ]  # fmt: skip
    assert rows == [
        ["fc1.weight", "4×3", "4", "4.3", "4.4", "4", "1"],
        ["fc1.bias", "4", "–", "–", "frozen", "–", "0"],
        ["scale", "scalar", "–", "–", "–", "–", "0"],
    ]


def test_several_models_are_told_apart() -> None:
    columns, rows = layer_table([Subject(0, "fc1"), Subject(1, "fc1")])
    assert columns[0].title == "model"
    assert [row[:2] for row in rows] == [["0", "fc1"], ["1", "fc1"]]


def test_a_model_of_another_shape_is_no_error(record: Record) -> None:
    odd = {"models": [{"id": "x", "layers": [{"name": 3}, {}, 5], "parameters": [{"name": "a", "shape": 3}]}]}
    run = record(model=odd)
    assert [layer.name for layer in layers_of(run)] == ["fc1", "unlisted"]
    assert parameter_table(parameters_of(run))[1][0][:2] == ["a", "–"]
