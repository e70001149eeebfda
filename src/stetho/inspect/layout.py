"""Where the parts of a network stand: ranks and routes inside of every box, found by igraph.

The layout of a box does not depend on which boxes are open: it gives ranks, an order in each, and routes for the edges
that pass by others. Who draws it stacks the ranks by the sizes that the boxes have at that time.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from stetho.errors import MissingPackage
from stetho.inspect.network import ROOT, Network

ENTRY, EXIT = -1, -2
"""Stand for everything outside of a box: where edges come in, and where they leave."""
FIRST_SLOT = -3
"""Numbers from here on downward are places that an edge passes through on its way."""
MOST_ITERATIONS = 50
SMALLEST_STEP = 0.25


@dataclass(frozen=True, slots=True)
class Route:
    """An edge between two children of a box, or to one of its ends, and the slots that it passes through."""

    source: int
    target: int
    label: str
    slots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """The inside of a box: ranks from top to bottom, in each the items from left to right with their column."""

    ranks: tuple[tuple[tuple[int, float], ...], ...]
    routes: tuple[Route, ...]


@dataclass(slots=True)
class _Inside:
    edges: dict[tuple[int, int], dict[tuple[int, str], None]] = field(default_factory=lambda: defaultdict(dict))
    """The tensors between two children, by who made them and their shape, in their order."""


def layout(network: Network) -> dict[int, Level]:
    """The inside of every box of a network, by the number of the box.

    >>> from stetho.inspect.network import Edge, Node
    >>> nodes = (Node(0, "layer", "net", parent=None), Node(1, "input", "x"), Node(2, "operation", "relu"))
    >>> layout(Network("net", nodes, (Edge(1, 2, "4"),)))[0].ranks
    (((1, 0.0),), ((2, 0.0),))
    """
    try:
        import igraph
    except ImportError:
        raise MissingPackage("igraph", "the layout of a graph", "graph") from None
    insides = _lifted(network)
    return {box: _level(igraph, box, children, insides[box]) for box, children in network.children().items()}


def _lifted(network: Network) -> dict[int, _Inside]:
    """Every edge at the level where its two ends part, and on both sides as an edge to the border of each box."""
    parents = {node.id: node.parent for node in network.nodes}
    insides: dict[int, _Inside] = defaultdict(_Inside)
    above = {node.id: _chain(node.id, parents) for node in network.nodes}
    for edge in network.edges:
        left, right = above[edge.source], above[edge.target]
        shared = 0
        while shared < min(len(left), len(right)) - 1 and left[shared] == right[shared]:
            shared += 1
        # One result that is used twice in a box, as by a residual connection, leads to it once.
        tensor = edge.source, edge.label
        insides[left[shared - 1]].edges[left[shared], right[shared]][tensor] = None
        for box, child in zip(left[shared:], left[shared + 1 :], strict=False):
            insides[box].edges[child, EXIT][tensor] = None
        for box, child in zip(right[shared:], right[shared + 1 :], strict=False):
            insides[box].edges[ENTRY, child][tensor] = None
    return insides


def _chain(node: int, parents: dict[int, int | None]) -> list[int]:
    """A node and everything that it lies in, from the outside in."""
    chain = [node]
    while (parent := parents[chain[-1]]) is not None:
        chain.append(parent)
    return chain[::-1]


def _level(igraph: Any, box: int, children: list[int], inside: _Inside) -> Level:
    has_ends = box != ROOT
    items = [*children, *((ENTRY, EXIT) if has_ends else ())]
    place = {item: number for number, item in enumerate(items)}
    real = [(pair, [label for _, label in tensors]) for pair, tensors in inside.edges.items() if pair[0] != pair[1]]
    links = [(place[source], place[target]) for (source, target), _ in real]
    if has_ends:
        # What nothing leads to or from would drift away from the ends.
        taken, given = {target for _, target in links}, {source for source, _ in links}
        links += [(place[ENTRY], place[child]) for child in children if place[child] not in taken]
        links += [(place[child], place[EXIT]) for child in children if place[child] not in given]
    graph = igraph.Graph(n=len(items), edges=links, directed=True)
    found = graph.layout_sugiyama(maxiter=MOST_ITERATIONS)
    places = {item: (x, round(y)) for item, (x, y) in zip(items, found.coords, strict=True)}
    routes = []
    lanes: dict[int, list[int]] = defaultdict(list)
    longest_first = sorted(zip(real, found.edge_routing, strict=False), key=lambda each: -len(each[1]))
    for ((source, target), labels), points in longest_first:
        # Edges of one node share a lane: they leave it one after the other.
        lane = lanes[source]
        for x, y in points[len(lane) :]:
            lane.append(FIRST_SLOT - len(places) + len(items))
            places[lane[-1]] = (x, round(y))
        label = labels[0] + (f" +{len(labels) - 1}" if len(labels) > 1 else "")
        routes.append(Route(source, target, label, tuple(lane[: len(points)])))
    # The nearest first: where only one label has room, it is theirs.
    return Level(_ranks(places), tuple(reversed(routes)))


def _ranks(places: dict[int, tuple[float, int]]) -> tuple[tuple[tuple[int, float], ...], ...]:
    ranks: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for item, (x, rank) in places.items():
        ranks[rank].append((x, item))
    return tuple(tuple(_apart(sorted(ranks[rank]))) for rank in sorted(ranks))


def _apart(rank: list[tuple[float, int]]) -> Iterator[tuple[int, float]]:
    """Two items of a rank never share a column."""
    last = float("-inf")
    for x, item in rank:
        last = max(x, last + SMALLEST_STEP)
        yield item, last
