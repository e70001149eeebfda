"""Tests of graphs as pictures."""

from xml.etree import ElementTree

from stetho.inspect.layout import layout
from stetho.inspect.network import Edge, Network, Node
from stetho.views.graph_svg import graph_svg
from tests.inspect.test_layout import RESIDUAL

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_is_well_formed_and_has_every_open_node() -> None:
    tree = ElementTree.fromstring(graph_svg(RESIDUAL, layout(RESIDUAL), depth=2))
    texts = {"".join(each.itertext()) for each in tree.iter(f"{SVG}text")}
    assert {"x", "block", "norm", "linear", "add", "output"} <= texts
    assert len(list(tree.iter(f"{SVG}rect"))) == 7


def test_closed_boxes_keep_their_content_to_themselves() -> None:
    assert "norm" not in graph_svg(RESIDUAL, layout(RESIDUAL), depth=1)


def test_labels_are_escaped_and_failures_are_red() -> None:
    nodes = (
        Node(0, "layer", "net", parent=None),
        Node(1, "input", "<x>"),
        Node(2, "layer", "bad", about={"failed": "ValueError"}),
    )
    picture = graph_svg(Network("a & b", nodes, (Edge(1, 2),)), layout(Network("n", nodes, (Edge(1, 2),))), depth=1)
    assert "&lt;x&gt;" in picture
    assert "a &amp; b" in picture
    assert "#fee4e2" in picture


def test_a_measure_colours_the_boxes_and_is_named_below() -> None:
    nodes = (
        Node(0, "layer", "net", parent=None),
        Node(1, "layer", "small", numbers={"act.std": 0.25}),
        Node(2, "layer", "large", numbers={"act.std": 4.0}),
    )
    network = Network("net", nodes, (Edge(1, 2),))
    picture = graph_svg(network, layout(network), depth=1, colour="act.std")
    assert 'fill="rgb(253,246,227)"' in picture
    assert "act.std: 0.25 … 4" in picture
    assert "hsl(" not in picture
    assert "act.std" not in graph_svg(network, layout(network), depth=1)
