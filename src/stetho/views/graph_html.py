"""The graph of a model as one HTML file: data, looks and program in it, and nothing fetched from elsewhere."""

import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

from stetho.inspect.layout import Level
from stetho.inspect.network import Network
from stetho.store.documents import plain

SCRIPTS = ("places.js", "colours.js", "picture.js", "page.js")
MOST_AT_FIRST = 150
"""Without a wish for a depth, so many boxes and operations are shown at first."""


def graph_html(
    network: Network,
    levels: Mapping[int, Level],
    *,
    depth: int | None = None,
    detailed: bool = False,
    colour: str = "class",
) -> str:
    """The page, with boxes open down to a depth; `detailed` also those that hold a single operation."""
    shown = {"depth": depth or first_depth(network), "detailed": detailed, "colour": colour}
    data = graph_document(network, levels) | shown
    # A browser reads strict JSON only, and a mask of minus infinity is an argument like others. And nothing in the data
    # may end the element that it stands in.
    text = json.dumps(plain(data), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    script = "\n".join(_asset(name) for name in SCRIPTS)
    return Template(_asset("page.html")).substitute(
        title=_escaped(network.name),
        style=_asset("page.css"),
        data=text,
        script=f'const DATA = JSON.parse(document.getElementById("data").textContent);\n{script}',
    )


def graph_document(network: Network, levels: Mapping[int, Level]) -> dict[str, Any]:
    """The graph with its layout as plain data."""
    return {
        "name": network.name,
        "failure": network.failure,
        "nodes": [
            {
                "id": node.id,
                "kind": node.kind,
                "label": node.label,
                "sub": node.sub,
                "parent": node.parent,
                "about": dict(node.about),
                "numbers": dict(node.numbers),
            }
            for node in network.nodes
        ],
        "edges": [[edge.source, edge.target, edge.label] for edge in network.edges],
        "levels": {
            str(box): {
                "ranks": [[list(item) for item in rank] for rank in level.ranks],
                "routes": [[route.source, route.target, route.label, list(route.slots)] for route in level.routes],
            }
            for box, level in levels.items()
        },
    }


def first_depth(network: Network) -> int:
    """How deep boxes are open at first: as deep as can still be read at a glance."""
    depths = depths_of(network)
    deepest = max(depths.values(), default=1)
    shown = {depth: sum(each <= depth for each in depths.values()) for depth in range(1, deepest + 1)}
    return max((depth for depth, count in shown.items() if count <= MOST_AT_FIRST), default=1)


def depths_of(network: Network) -> dict[int, int]:
    """How many boxes each node lies in."""
    depths: dict[int, int] = {}
    for node in network.nodes:
        depths[node.id] = 0 if node.parent is None else depths[node.parent] + 1
    return depths


def _asset(name: str) -> str:
    return (files("stetho.views") / "graph_page" / name).read_text(encoding="utf-8")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
