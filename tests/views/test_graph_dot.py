"""Tests of graphs in the DOT language."""

from stetho.inspect.network import Network, Node
from stetho.views.graph_dot import graph_dot
from tests.inspect.test_layout import RESIDUAL


def test_layers_are_clusters_and_tensors_are_edges() -> None:
    text = graph_dot(RESIDUAL)
    assert 'subgraph cluster_2 { label="block";' in text
    assert '    n3 [label="norm"];' in text
    assert 'n1 -> n3 [label="a"];' in text
    assert text.count("{") == text.count("}")


def test_quotes_in_names_are_escaped() -> None:
    nodes = (Node(0, "layer", "net", parent=None), Node(1, "operation", 'say "no"'))
    assert r'n1 [label="say \"no\""];' in graph_dot(Network("net", nodes, ()))
