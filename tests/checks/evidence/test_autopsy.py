"""Autopsies in words."""

import pytest

from stetho.checks.evidence.autopsy import advice, evidence, place, sentence

COMMON = {"step": 4, "trigger": "loss"}


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"phase": "data", "origin": "input[0][0]", "result": "nan", "index": [3, 1]}, "input of the model has nan"),
        ({"phase": "data", "origin": "value from outside", "result": "nan"}, "target, or another value, has nan"),
        (
            {"phase": "data", "origin": "", "result": "inf", "index": [10, 11], "layer": "Graph"},
            "the tensor that the model takes from outside has inf at [10, 11]",
        ),
        ({"phase": "changed parameter", "name": "w", "index": [7, 0]}, "no update made it so"),
        ({"phase": "buffer", "name": "norm.mean"}, "buffer norm.mean is not finite"),
        ({"phase": "initial", "name": "fc.weight"}, "parameter fc.weight is not finite before the first update"),
        ({"phase": "optimizer", "name": "fc.weight", "expression": "0 / (sqrt(0) + 0)"}, "makes fc.weight nan"),
        ({"phase": "parameter", "name": "fc.weight", "since": 2}, "the steps from 2 on were not looked at closely"),
        ({"phase": "optimizer", "name": "w", "trigger": "parameter"}, "makes w nan; the loss is finite so far"),
        ({"phase": "initial", "name": "w", "trigger": "parameter"}, "first update; the loss is finite so far"),
        ({"phase": "loss gradient"}, "gradient of the loss is not finite at the output"),
        ({"phase": "backward", "expression": "gradient of sqrt: 1 / 0", "trigger": "gradient"}, "the gradient NaN"),
    ],
)
def test_every_birth_place_has_its_sentence(fault, words):
    assert words in sentence(COMMON | fault)


def test_a_parameter_is_named_as_such():
    where = place({"phase": "optimizer", "name": "fc.weight", "line": "train.py:9"})
    assert (where.parameter, where.layer, where.line) == ("fc.weight", None, 9)


def test_advice_for_bad_data_points_at_the_samples():
    assert "samples" in advice({"phase": "data"})
    assert "writes to this buffer" in advice({"phase": "buffer"})
    assert advice({"phase": "loss gradient"}) == ""
    assert "stetho trace --from-step 7" in advice({"phase": "parameter", "since": 7})


def test_a_long_way_is_shortened():
    way = evidence({"chain": [{"operation": f"op{n}"} for n in range(20)], "trigger": "loss"})["way"]
    assert way.count("→") == 7
    assert way.endswith("op19 → loss")


def test_says_when_the_replay_was_not_exact():
    assert "replay" in evidence({"faithful": False})
    assert "replay" not in evidence({"faithful": True})


def test_what_a_model_takes_from_outside_has_no_samples_to_look_at():
    assert advice({"phase": "data", "origin": "", "layer": "Graph"}) == "Look at how it was made."
    assert advice({"phase": "data", "origin": "input[0]", "layer": "fc"}).startswith("Look at these samples")
