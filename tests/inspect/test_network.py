"""Tests of a model as nested boxes."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from stetho.inspect.inputs import call_of
from stetho.inspect.network import ROOT, Network, Node, network_of
from stetho.inspect.torch.recording import record
from stetho.inspect.torch.structure import parts_of
from tests.inspect.networks import NETWORKS, Wrong, control_flow, dict_input, gan, gpt


def network(model: nn.Module, inputs: Any, **stats: dict[str, float]) -> Network:
    recording = record(model, call_of(model, inputs), keep_failure=True)
    return network_of(parts_of(model), recording, type(model).__name__, stats)


def named(found: Network, label: str) -> Node:
    return next(node for node in found.nodes if node.label == label)


@pytest.mark.parametrize("make", NETWORKS)
def test_every_kind_of_network_hangs_together(make: Callable[[], tuple[nn.Module, Any]]) -> None:
    found = network(*make())
    assert [node.id for node in found.nodes] == list(range(len(found.nodes)))
    assert all(node.parent is None or found.nodes[node.parent].kind == "layer" for node in found.nodes)
    assert all(found.nodes[edge.source].kind != "layer" != found.nodes[edge.target].kind for edge in found.edges)
    output = named(found, "output")
    assert any(edge.target == output.id for edge in found.edges)


def test_boxes_are_nested_as_layers_are() -> None:
    found = network(*gpt())
    mlp = next(node for node in found.nodes if node.about.get("layer") == "blocks.1.mlp" and node.kind == "layer")
    assert (mlp.label, mlp.sub) == ("mlp", "Sequential")
    assert mlp.parent is not None
    assert found.nodes[mlp.parent].label == "blocks.1"


def test_edges_are_tensors_with_their_shapes() -> None:
    found = network(*gpt())
    relation = {(found.nodes[edge.source].label, found.nodes[edge.target].label): edge.label for edge in found.edges}
    assert relation["ids", "embedding"] == "2×6"
    assert relation["gelu", "linear"] == "2×6×64"


def test_inputs_have_the_names_of_arguments() -> None:
    labels = {node.label for node in network(*dict_input()).nodes if node.kind == "input"}
    assert labels == {"batch.image", "batch.text"}


def test_every_call_of_a_layer_is_a_box() -> None:
    found = network(*control_flow())
    assert [node.label for node in found.nodes if node.kind == "layer"] == ["Deciding", "step", "step", "step"]


def test_several_models_side_by_side_are_boxes_of_one_picture() -> None:
    found = network(*gan())
    assert [node.label for node in found.nodes if node.parent == ROOT and node.kind == "layer"] == [
        "generator",
        "discriminator",
    ]


def test_nodes_carry_numbers_facts_and_recorded_stats() -> None:
    found = network(nn.Sequential(nn.Linear(4, 2)), (1, 4), **{"0": {"act.std": 0.5}})
    layer, linear = named(found, "0"), named(found, "linear")
    assert (layer.numbers["parameters"], layer.numbers["FLOPs"], layer.numbers["act.std"]) == (10, 16, 0.5)
    assert linear.about["arguments"] == {"input": "float32[1, 4]", "weight": "float32[2, 4]", "bias": "float32[2]"}
    assert linear.about["inputs"][1] == "float32[2, 4] parameter 0.weight"


def test_a_failing_model_is_drawn_as_far_as_it_came() -> None:
    found = network(Wrong(), (3, 4))
    assert found.failure is not None
    assert named(found, "relu")


def test_layers_that_do_nothing_are_left_out() -> None:
    found = network(nn.Sequential(nn.Identity(), nn.ReLU()), torch.ones(2))
    assert [node.label for node in found.nodes if node.kind == "layer"] == ["Sequential", "1"]
