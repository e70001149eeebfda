"""Tests of files of graphs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from stetho.errors import UsageError
from stetho.views.graph_file import write_graph
from tests.inspect.test_layout import RESIDUAL


@pytest.mark.parametrize(
    ("ending", "start"), [(".html", "<!doctype html>"), (".svg", "<svg"), (".dot", "digraph"), (".json", '{"name"')]
)
def test_the_ending_chooses_the_form(tmp_path: Path, ending: str, start: str) -> None:
    file = tmp_path / f"graph{ending}"
    write_graph(RESIDUAL, file)
    assert file.read_text(encoding="utf-8").startswith(start)


def test_json_holds_nodes_edges_and_layout(tmp_path: Path) -> None:
    write_graph(RESIDUAL, tmp_path / "graph.json")
    document = json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))
    assert len(document["edges"]) == 5
    assert set(document["levels"]) == {"0", "2"}


def test_another_ending_or_no_folder_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has the ending `\.png`"):
        write_graph(RESIDUAL, tmp_path / "graph.png")
    with pytest.raises(UsageError, match="no such folder"):
        write_graph(RESIDUAL, tmp_path / "nowhere" / "graph.svg")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_did_nothing_is_no_picture(tmp_path: Path) -> None:
    nothing = replace(RESIDUAL, nodes=RESIDUAL.nodes[:1], edges=())
    for ending in (".html", ".svg", ".dot", ".json"):
        with pytest.raises(UsageError, match=r"nothing to draw of .*: it does no operation"):
            write_graph(nothing, tmp_path / f"g{ending}")
    assert not list(tmp_path.iterdir())
