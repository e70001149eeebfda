"""The graph of a model in the DOT language, for Graphviz and what else reads it."""

import json
from collections.abc import Iterator

from stetho.inspect.network import ROOT, Network, Node


def graph_dot(network: Network) -> str:
    """Layers as nested clusters, operations as nodes, tensors as edges.

    >>> from stetho.inspect.network import Edge
    >>> nodes = (Node(0, "layer", "net", parent=None), Node(1, "input", "x"), Node(2, "operation", "relu", "4"))
    >>> print(graph_dot(Network("net", nodes, (Edge(1, 2, "4"),))))
    digraph "net" {
      node [shape=box, style=rounded];
      n1 [label="x"];
      n2 [label="relu\\n4"];
      n1 -> n2 [label="4"];
    }
    """
    children: dict[int, list[Node]] = {}
    for node in network.nodes:
        if node.parent is not None:
            children.setdefault(node.parent, []).append(node)
    lines = [f"digraph {_quoted(network.name)} {{", "  node [shape=box, style=rounded];"]
    lines += _inside(ROOT, children, "  ")
    lines += [f"  n{edge.source} -> n{edge.target} [label={_quoted(edge.label)}];" for edge in network.edges]
    return "\n".join([*lines, "}"])


def _inside(box: int, children: dict[int, list[Node]], indent: str) -> Iterator[str]:
    for node in children.get(box, []):
        label = _quoted("\n".join(part for part in (node.label, node.sub) if part))
        if node.id in children:
            yield f"{indent}subgraph cluster_{node.id} {{ label={label};"
            yield from _inside(node.id, children, indent + "  ")
            yield f"{indent}}}"
        elif node.kind != "layer":
            yield f"{indent}n{node.id} [label={label}];"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
