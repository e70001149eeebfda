"""Tests of the page of a graph."""

import json
import re
from typing import Any

from stetho.inspect.layout import layout
from stetho.inspect.network import Network, Node
from stetho.views.graph_html import depths_of, first_depth, graph_html
from tests.inspect.test_layout import RESIDUAL


def data_of(page: str) -> Any:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1], parse_constant=_not_for_browsers)


def _not_for_browsers(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def test_the_page_holds_everything_and_fetches_nothing() -> None:
    page = graph_html(RESIDUAL, layout(RESIDUAL))
    assert not re.search(r"https?://|@import|src=|<link|fetch\(|XMLHttpRequest", page)
    assert not re.search(r"\$(title|data|style|script)", page)
    data = data_of(page)
    assert len(data["nodes"]) == 7
    assert data["levels"]["2"]["routes"]


def test_what_is_shown_at_first_is_chosen() -> None:
    data = data_of(graph_html(RESIDUAL, layout(RESIDUAL), depth=1, detailed=True, colour="FLOPs"))
    assert (data["depth"], data["detailed"], data["colour"]) == (1, True, "FLOPs")


def test_no_name_can_break_out_of_the_page() -> None:
    nodes = (Node(0, "layer", "</script><b>", parent=None), Node(1, "input", "</script>"))
    network = Network("</title><b>", nodes, ())
    page = graph_html(network, layout(network))
    assert "</script><b>" not in page
    assert "</title><b>" not in page
    assert data_of(page)["nodes"][1]["label"] == "</script>"


def test_a_small_network_is_open_at_first_and_a_large_one_is_not() -> None:
    many = (
        Node(0, "layer", "net", parent=None),
        Node(1, "layer", "block"),
        *(Node(number, "operation", "f", parent=1) for number in range(2, 400)),
    )
    assert first_depth(RESIDUAL) == 2
    assert first_depth(Network("net", many, ())) == 1
    assert depths_of(RESIDUAL)[3] == 2


def test_numbers_that_json_has_no_word_for_are_words() -> None:
    about = {"arguments": {"value": float("-inf")}}
    masked = Node(1, "operation", "masked_fill", parent=0, about=about, numbers={"act.rms": float("nan")})
    network = Network("Net", (Node(0, "layer", "Net", parent=None), masked), ())
    node = data_of(graph_html(network, layout(network)))["nodes"][1]
    assert (node["about"], node["numbers"]) == ({"arguments": {"value": "-Infinity"}}, {"act.rms": "NaN"})
