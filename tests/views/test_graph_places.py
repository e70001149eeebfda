"""Tests of places: nothing overlaps, and everything lies inside of its box."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
import torch
from torch import nn

from stetho.inspect.layout import layout
from stetho.inspect.network import ROOT
from stetho.views.graph_places import Box, Places
from tests.inspect.networks import NETWORKS
from tests.inspect.test_layout import RESIDUAL
from tests.inspect.test_network import network


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


@pytest.mark.parametrize("make", NETWORKS)
@pytest.mark.parametrize("depth", [1, 9])
def test_boxes_lie_inside_of_theirs_and_apart_from_each_other(
    make: Callable[[], tuple[nn.Module, Any]], depth: int
) -> None:
    found = network(*make())
    boxes = Places(found, layout(found), depth, detailed=True).boxes
    for number, box in boxes.items():
        inside = [boxes[child] for child in found.children().get(number, []) if child in boxes]
        for child in inside:
            assert child.x >= box.x
            assert child.y >= box.y
            assert child.x + child.width <= box.x + box.width + 1e-6
            assert child.y + child.height <= box.y + box.height + 1e-6
        assert not any(overlap(one, other) for one, other in combinations(inside, 2))


def test_a_closed_box_hides_what_it_holds() -> None:
    levels = layout(RESIDUAL)
    assert set(Places(RESIDUAL, levels, 1).boxes) == {0, 1, 2, 6}
    assert set(Places(RESIDUAL, levels, 2).boxes) == set(range(7))


def test_a_layer_that_also_counts_its_calls_is_one_operation() -> None:
    found = network(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU()).train(), torch.ones(2, 3))
    levels = layout(found)
    assert not any(box.is_open for number, box in Places(found, levels, 9).boxes.items() if number != ROOT)
    assert any(box.is_open for number, box in Places(found, levels, 9, detailed=True).boxes.items() if number != ROOT)


def test_routes_run_downward_from_end_to_end() -> None:
    levels = layout(RESIDUAL)
    places = Places(RESIDUAL, levels, 2)
    for number, level in levels.items():
        for route in level.routes:
            heights = [y for _, y in places.route(places.boxes[number], route)]
            assert heights == sorted(heights)
    assert places.boxes[ROOT].height > places.boxes[2].height
