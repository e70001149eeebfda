from dataclasses import replace

import numpy as np
import pytest

from stetho.checks.declare import Skip
from stetho.checks.loop.weights_not_tied import MEASURES, weights_not_tied
from stetho.checks.run.facts import Layer
from stetho.testing import make_window

LAYERS = {"embed": "Embedding(16, 8)", "head": "Linear(in_features=8, out_features=16, bias=False)"}
APART = np.linspace(0.5, 0.6, 60)


def measured(embedding, head, layers=LAYERS, **facts):
    names = ("embed.weight", embedding), ("head.weight", head)
    stats = {(name, stat): values for name, values in names for stat in MEASURES}
    return make_window(layers=layers, stats=stats, **facts)


def test_finds_copied_weights_that_go_separate_ways():
    found = weights_not_tied(measured(APART, 2 * APART - 0.5))
    assert (found.severity, found.where.parameter) == ("warning", "head.weight")
    assert "(128 values)" in found.title


def test_stays_quiet_on_weights_that_differ_from_the_start():
    assert weights_not_tied(measured(APART, APART + 0.1)) is None


def test_stays_quiet_on_weights_that_stay_equal():
    assert weights_not_tied(measured(APART, APART)) is None


def test_stays_quiet_on_two_that_begin_with_zeros():
    assert weights_not_tied(measured(APART - 0.5, 2 * APART - 1)) is None


def test_is_skipped_without_an_embedding():
    with pytest.raises(Skip, match="there is no embedding"):
        weights_not_tied(make_window())


def test_a_bag_is_an_embedding_too():
    layers = LAYERS | {"embed": "EmbeddingBag(16, 8)"}
    assert weights_not_tied(measured(APART, 2 * APART - 0.5, layers)) is not None


TOWERS = {"left.0": "Linear(in_features=8, out_features=4)", "right.0": "Linear(in_features=8, out_features=4)"}
EDGES = [("(input)", "left.0"), ("(input)", "right.0")]
GUESSED = {"label_counts": [[50, 50]] * 60, "correct": 60, "counted": 100}


STACK = {"layers.0.fc": TOWERS["left.0"], "layers.1.fc": TOWERS["left.0"]}


def towers(layers=TOWERS, mean=0.1, last=0.9, edges=EDGES, parts=None, **more):
    names = [f"{layer}.{kind}" for layer in layers for kind in ("weight", "bias")]
    ends = {name: last if name.startswith(("right", "layers.1")) else 0.6 for name in names}
    stats = {(name, stat): np.linspace(0.5, ends[name], 60) for name in names for stat in MEASURES}
    stats |= {(layer, f"act.{stat}"): value for layer in layers for stat, value in (("mean", 0.0), ("std", 1.0))}
    stats |= {(layer, "act.mean"): mean for layer in list(layers)[1:2]}
    rows = {"batch": GUESSED, "eval_batch": {"label_counts": None}}
    facts = (
        {"layers": layers} if parts is None else {"layers": parts, "parameters": make_window(layers=layers).parameters}
    )
    return weights_not_tied(make_window(stats=stats, edges=edges, **facts | rows | more))


def test_finds_towers_that_begin_equal_and_go_separate_ways():
    found = towers()
    assert (found.severity, found.where.layer) == ("warning", "right.0")
    assert "left.0 and right.0 begin equal (36 values)" in found.title


def test_towers_are_a_note_when_all_goes_well():
    assert towers(batch=GUESSED | {"correct": 95}).severity == "note"


@pytest.mark.parametrize(
    "what_else",
    [
        {"last": 0.6},  # they stay equal
        {"mean": 0.0},  # given the same tensor
        {"mean": 3.0},  # another kind of input
        {"edges": [("(input)", "left.0"), ("left.0", "right.0")]},  # one after the other
        {"layers": TOWERS | {"third.0": TOWERS["left.0"]}, "edges": [*EDGES, ("(input)", "third.0")]},
    ],
)
def test_is_skipped_on_parts_that_may_well_begin_equal(what_else):
    with pytest.raises(Skip, match="no two parts begin equal"):
        towers(**what_else)


def test_layers_of_a_stack_and_their_parts_are_no_towers():
    holders = [Layer(f"layers.{place}", "Block", called="model.py:3") for place in (0, 1)]
    inner = [replace(each, parameters=36) for each in make_window(layers=STACK).layers]
    with pytest.raises(Skip, match="no two parts begin equal"):
        towers(STACK, edges=[], parts=[*holders, *inner])


def test_points_at_the_copy():
    made = measured(APART, APART).layer("head", 0).constructed
    found = weights_not_tied(measured(APART, 2 * APART - 0.5, given={made: {"copy of embed": "net.py:99"}}))
    assert found.where.line == 99
