"""Places of boxes and edges for a picture that does not move, by the rules of the page's `places.js`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from stetho.inspect.layout import ENTRY, EXIT, Level, Route
from stetho.inspect.network import ROOT, Network, Node
from stetho.views.graph_html import depths_of

LETTER, LEAST, MOST = 7.0, 56.0, 230.0
HIGH, HIGHER = 20.0, 34.0
GAP, NEAR, BESIDE, BORDER, HEAD, SLOT = 26.0, 10.0, 16.0, 12.0, 22.0, 10.0

Point = tuple[float, float]


@dataclass(slots=True)
class Box:
    """A node with its place; `inside` are the middles and the upper and lower ends of what an open one holds."""

    node: Node
    is_open: bool
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    inside: dict[int, tuple[float, float, float]] = field(default_factory=dict)

    def top(self) -> Point:
        """Where edges come in."""
        return self.x + (self.inside[ENTRY][0] if ENTRY in self.inside else self.width / 2), self.y

    def bottom(self) -> Point:
        """Where edges leave."""
        return self.x + (self.inside[EXIT][0] if EXIT in self.inside else self.width / 2), self.y + self.height


class Places:
    """The places of everything that is shown when boxes are open down to a depth."""

    def __init__(self, network: Network, levels: Mapping[int, Level], depth: int, *, detailed: bool = False) -> None:
        self._levels = levels
        self._children = network.children()
        self._nodes = {node.id: node for node in network.nodes}
        self._joined = {end for edge in network.edges for end in (edge.source, edge.target)}
        depths = depths_of(network)
        self.boxes: dict[int, Box] = {}
        self._is_open = {
            box: box == ROOT or (depths[box] < depth and bool(inside) and (detailed or not self._is_plain(inside)))
            for box, inside in self._children.items()
        }
        self._measure(ROOT)
        self._settle(ROOT, 0.0, 0.0)

    def route(self, box: Box, route: Route) -> list[Point]:
        """The points of an edge inside of a box: straight through ranks, bent between them."""
        points: list[Point] = []
        if route.source == ENTRY:
            points.append((box.x + box.inside[ENTRY][0], box.y))
        else:
            start = self.boxes[route.source].bottom()
            points += [start, (start[0], box.y + box.inside[route.source][2])]
        for slot in route.slots:
            x, top, bottom = box.inside[slot]
            points += [(box.x + x, box.y + top), (box.x + x, box.y + bottom)]
        if route.target == EXIT:
            points.append((box.x + box.inside[EXIT][0], box.y + box.height))
        else:
            end = self.boxes[route.target].top()
            points += [(end[0], box.y + box.inside[route.target][1]), end]
        return points

    def _is_plain(self, inside: list[int]) -> bool:
        """Whether a layer is one operation, beside those that no tensor comes from or goes to, which count calls."""
        are_operations = all(self._nodes[each].kind == "operation" for each in inside)
        return are_operations and (len(inside) == 1 or sum(each in self._joined for each in inside) == 1)

    def _measure(self, number: int) -> None:
        node = self._nodes[number]
        box = self.boxes[number] = Box(node, self._is_open.get(number, False))
        if not box.is_open:
            sub = "" if node.kind == "operation" else node.sub
            box.width = min(MOST, max(LEAST, max(len(node.label), len(sub) * 0.86) * LETTER + 20))
            box.height = HIGHER if sub else HIGH
            return
        for child in self._children[number]:
            self._measure(child)
        self._stack(box, self._levels[number])

    def _columns(self, level: Level) -> dict[float, float]:
        """The middle of every column: as far from those before it as the widest neighbours need."""
        apart: dict[float, list[tuple[float, float]]] = {x: [] for rank in level.ranks for _, x in rank}
        for rank in level.ranks:
            for (left, before), (right, x) in pairwise(rank):
                apart[x].append((before, (self._width(left) + self._width(right)) / 2 + BESIDE))
        columns: dict[float, float] = {}
        last = 0.0
        for x in sorted(apart):
            last = columns[x] = max([last, *(columns[before] + distance for before, distance in apart[x])])
        return columns

    def _stack(self, box: Box, level: Level) -> None:
        columns = self._columns(level)
        edges = [(columns[x], self._width(item) / 2) for rank in level.ranks for item, x in rank]
        left, right = min(x - half for x, half in edges), max(x + half for x, half in edges)
        label = 0.0 if box.node.id == ROOT else (len(box.node.label) + len(box.node.sub)) * LETTER + 40
        inner = max(right - left, label)
        shift = BORDER - left + (inner - (right - left)) / 2
        y = HEAD if _has_end(level.ranks[0]) else BORDER
        for number, rank in enumerate(level.ranks):
            tall = max((self.boxes[item].height for item, _ in rank if item >= 0), default=0.0)
            for item, x in rank:
                middle = columns[x] + shift
                box.inside[item] = (middle, y, y + tall)
                if item >= 0:
                    child = self.boxes[item]
                    child.x, child.y = middle - child.width / 2, y + (tall - child.height) / 2
            following = level.ranks[number + 1 : number + 2]
            y += tall + (0.0 if not following else NEAR if _has_end((*rank, *following[0])) else GAP)
        box.width = inner + 2 * BORDER
        box.height = y + (0.0 if _has_end(level.ranks[-1]) else BORDER)

    def _settle(self, number: int, x: float, y: float) -> None:
        box = self.boxes[number]
        box.x, box.y = box.x + x, box.y + y
        if box.is_open:
            for child in self._children[number]:
                self._settle(child, box.x, box.y)

    def _width(self, item: int) -> float:
        return self.boxes[item].width if item >= 0 else SLOT


def _has_end(rank: Iterable[tuple[int, float]]) -> bool:
    return any(item in (ENTRY, EXIT) for item, _ in rank)
