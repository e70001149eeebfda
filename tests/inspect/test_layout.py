"""Tests of layouts: ranks follow the edges, and edges that pass others have room."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
from torch import nn

from stetho.errors import MissingPackage
from stetho.inspect.layout import ENTRY, EXIT, layout
from stetho.inspect.network import Edge, Network, Node
from tests.inspect.networks import NETWORKS
from tests.inspect.test_network import network

RESIDUAL = Network(
    "net",
    (
        Node(0, "layer", "net", parent=None),
        Node(1, "input", "x"),
        Node(2, "layer", "block"),
        Node(3, "operation", "norm", parent=2),
        Node(4, "operation", "linear", parent=2),
        Node(5, "operation", "add", parent=2),
        Node(6, "output", "output"),
    ),
    (Edge(1, 3, "a"), Edge(3, 4, "b"), Edge(4, 5, "c"), Edge(1, 5, "a"), Edge(5, 6, "d")),
)


def rank_of(ranks: tuple[tuple[tuple[int, float], ...], ...], item: int) -> int:
    return next(number for number, rank in enumerate(ranks) if item in [each for each, _ in rank])


@pytest.mark.parametrize("make", NETWORKS)
def test_every_edge_leads_downward_through_slots(make: Callable[[], tuple[nn.Module, Any]]) -> None:
    found = network(*make())
    levels = layout(found)
    children = found.children()
    assert set(levels) == set(children)
    for box, level in levels.items():
        assert {item for rank in level.ranks for item, _ in rank if item >= 0} == set(children[box])
        for route in level.routes:
            ranks = [rank_of(level.ranks, item) for item in (route.source, *route.slots, route.target)]
            assert ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def test_edges_into_a_box_end_at_its_border_and_go_on_inside() -> None:
    levels = layout(RESIDUAL)
    assert {(route.source, route.target, route.label) for route in levels[0].routes} == {(1, 2, "a"), (2, 6, "d")}
    inside = {(route.source, route.target): route for route in levels[2].routes}
    assert set(inside) == {(ENTRY, 3), (3, 4), (4, 5), (ENTRY, 5), (5, EXIT)}
    assert len(inside[ENTRY, 5].slots) == 2


def test_two_tensors_between_two_boxes_are_one_edge_that_says_so() -> None:
    nodes = (Node(0, "layer", "net", parent=None), Node(1, "layer", "a"), Node(2, "layer", "b"))
    inside = tuple(Node(number, "operation", "f", parent=1 if number < 5 else 2) for number in (3, 4, 5, 6))
    edges = (Edge(3, 5, "8"), Edge(3, 6, "8"), Edge(4, 6, "8"))
    assert [route.label for route in layout(Network("net", nodes + inside, edges))[0].routes] == ["8 +1"]


def test_edges_of_one_node_share_a_lane() -> None:
    nodes = (Node(0, "layer", "net", parent=None), *(Node(number, "operation", "f") for number in range(1, 6)))
    chain = [Edge(number, number + 1) for number in range(1, 5)]
    routes = {(route.source, route.target): route.slots for route in layout(
        Network("net", nodes, (*chain, Edge(1, 4), Edge(1, 5))))[0].routes}  # fmt: skip
    assert routes[1, 5][: len(routes[1, 4])] == routes[1, 4]


def test_without_igraph_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingPackage, match=r"pip install 'stetho\[graph\]'"):
        layout(RESIDUAL)
