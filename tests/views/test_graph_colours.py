"""Tests of the colours of a drawn network."""

from math import inf

from stetho.inspect.network import Network, Node
from stetho.views.graph_colours import NOT_FINITE, WITHOUT, Colours, is_dark

NODES = (
    Node(0, "layer", "net", parent=None, numbers={"n": 1000.0}),
    Node(1, "layer", "a", numbers={"n": 1.0}),
    Node(2, "layer", "b", numbers={"n": -100.0}),
    Node(3, "layer", "c", numbers={"n": inf}),
    Node(4, "operation", "relu"),
)
NETWORK = Network("net", NODES, ())


def test_the_scale_is_that_of_the_parts_and_has_a_legend() -> None:
    colours = Colours(NETWORK, "n")
    assert colours.legend == "n: 1 … 100"
    assert is_dark(colours.fill(NODES[2], is_open=False))
    assert not is_dark(colours.fill(NODES[1], is_open=False))


def test_what_has_no_number_or_none_that_is_finite_stands_out() -> None:
    colours = Colours(NETWORK, "n")
    assert colours.fill(NODES[3], is_open=False) == NOT_FINITE
    assert colours.fill(NODES[4], is_open=False) == WITHOUT


def test_classes_have_colours_of_their_own_and_no_legend() -> None:
    colours = Colours(NETWORK)
    assert colours.legend == ""
    assert colours.fill(NODES[4], is_open=False) == "#ffffff"
    assert colours.fill(NODES[1], is_open=False) != colours.fill(NODES[2], is_open=False)


def test_equal_numbers_are_one_colour() -> None:
    nodes = (NODES[0], Node(1, "layer", "a", numbers={"n": 2.0}), Node(2, "layer", "b", numbers={"n": 2.0}))
    colours = Colours(Network("net", nodes, ()), "n")
    assert colours.fill(nodes[1], is_open=False) == colours.fill(nodes[2], is_open=False)
