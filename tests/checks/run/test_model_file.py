"""Facts out of model.json, also out of one that is not as it should be."""

import json
from dataclasses import fields

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stetho.checks.run.described import Facts
from stetho.checks.run.facts import Edge, Group, Load, Loader, Loss, LossGraph, Op, Optimizer, Parameter, Scheduler
from stetho.checks.run.model_file import facts_of

MODEL = {
    "models": [
        {
            "id": 3,
            "label": "net",
            "class": "Net",
            "trained": False,
            "line": "train.py:4",
            "layers": [
                {"name": "fc", "class": "Linear", "settings": "in_features=2", "calls": 5, "training": False},
            ],
            "parameters": [
                {
                    "name": "fc.weight",
                    "shape": [4, 2],
                    "count": 8,
                    "dtype": "float32",
                    "trainable": True,
                    "optimizer": 0,
                }
            ],
            "edges": [["fc", "out", ["Relu"]], ["out", "end"]],
        }
    ],
    "optimizers": [
        {"id": 0, "class": "SGD", "line": "a:1", "groups": [{"lr": 0.1, "parameters": ["fc.weight", None]}]}
    ],
    "schedulers": [{"class": "StepLR", "line": "a:2", "steps": 3, "made": 1, "gamma": 0.1}],
    "loaders": [{"id": 0, "dataset": "D", "length": 9, "shuffled": None, "batch_size": 3, "passes": 2}],
    "losses": [{"call": "mse_loss", "input": "float32[2]", "weight": [0, 1], "input_low": "NaN", "delta": 2.0}],
    "loss_graphs": [{"line": "a:3", "ops": [{"op": "Softmax", "shape": [2, 3], "dim": 1}], "reached": ["fc.weight"]}],
    "loads": [{"line": "a:4", "matched": 1, "missing": 7, "first_missing": ["x"]}],
    "lines": {"step": ["a:5"]},
    "probes": {"shuffle": {"change": 0.1}},
}


def test_reads_everything() -> None:
    facts = facts_of(json.loads(json.dumps(MODEL)), [{"kind": "x"}], {"name": "run"})
    assert (facts.models[0].id, facts.models[0].kind, facts.models[0].is_trained) == (3, "Net", False)
    layer = facts.layers[0]
    assert (layer.model, layer.kind, layer.calls, layer.training, layer.registered) == (3, "Linear", 5, False, True)
    assert facts.parameters == (Parameter("fc.weight", (4, 2), 8, 3, group=None),)
    assert facts.edges == (Edge("fc", "out", ("Relu",), 3), Edge("out", "end", (), 3))
    assert facts.optimizers == (Optimizer(0, "SGD", "a:1", (Group({"lr": 0.1}, ("fc.weight", None)),)),)
    assert facts.schedulers == (Scheduler("StepLR", "a:2", 3, 1, {"gamma": 0.1}),)
    assert facts.loaders == (Loader(0, "D", 9, None, None, 3, passes=2),)
    assert facts.loss_graphs == (LossGraph("a:3", (Op("Softmax", (2, 3), 1),), reached=("fc.weight",)),)
    assert facts.loads == (Load("a:4", matched=1, missing=7, first_missing=("x",)),)
    assert (facts.lines, facts.probes) == ({"step": ("a:5",)}, {"shuffle": {"change": 0.1}})
    assert (facts.notes, facts.info) == (({"kind": "x"},), {"name": "run"})


def test_reads_a_loss_with_what_it_does_not_know() -> None:
    (loss,) = facts_of(MODEL).losses
    assert isinstance(loss, Loss)
    assert (loss.call, loss.weight, loss.settings, loss.reduction) == ("mse_loss", (0.0, 1.0), {"delta": 2.0}, None)
    assert loss.input_low != loss.input_low
    assert loss.input_shape == (2,)


def test_an_empty_file_gives_no_facts() -> None:
    assert facts_of({}) == Facts()


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*sorted(MODEL), "layers", "edges", "groups", "parameters", "weight", "shape", "ops"]),
            inner,
        )
    ),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(st.dictionaries(st.sampled_from(sorted(MODEL)), anything))
def test_never_fails_on_nonsense(model: dict[str, object]) -> None:
    assert isinstance(facts_of(model), Facts)


@pytest.mark.parametrize("part", sorted(MODEL))
def test_one_part_alone_is_enough(part: str) -> None:
    facts = facts_of({part: MODEL[part]})
    assert any(getattr(facts, field.name) for field in fields(Facts) if field.name != "info")
