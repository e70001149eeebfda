"""Tests of `stetho.summary` as a user calls it."""

import json
from pathlib import Path

import torch
from torch import nn

import stetho
from tests.inspect.networks import Gpt, Wrong


def test_a_summary_is_printed_and_shown_in_notebooks_and_documents() -> None:
    made = stetho.summary(Gpt(depth=3), torch.zeros(2, 6, dtype=torch.int64))
    assert "blocks.0 … 2 ×3" in str(made)
    assert repr(made) == str(made)
    assert made.markdown().startswith("| layer | class |")
    assert "<table" in made._repr_html_()
    assert json.dumps(made.document())


def test_the_whole_shows_every_layer() -> None:
    made = stetho.summary(Gpt(depth=3), (2, 6), whole=True, depth=1)
    assert "failed" in str(made)  # a shape of real numbers does not fit an embedding
    whole = str(stetho.summary(Gpt(depth=3), "2,6:int64", whole=True, depth=1))
    assert "blocks.1" in whole
    assert "blocks.1.mlp" not in whole


def test_without_inputs_only_the_structure_is_shown() -> None:
    assert "no inputs" in str(stetho.summary(nn.Linear(2, 3)))


def test_a_failing_model_is_no_error() -> None:
    failure = stetho.summary(Wrong(), (3, 4)).data.failure
    assert failure is not None
    assert failure.layer == "second"


def test_a_graph_is_saved_and_shown_in_notebooks(tmp_path: Path) -> None:
    made = stetho.graph(Gpt(), torch.zeros(2, 6, dtype=torch.int64))
    made.save(tmp_path / "graph.html", colour="FLOPs")
    assert "FLOPs" in made.measures
    assert (tmp_path / "graph.html").stat().st_size > 10_000
    assert made._repr_html_().startswith("<iframe")


def test_layers_of_a_graph_carry_what_a_run_recorded(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with stetho.watch(model, optimizer, out=str(tmp_path), quiet=True) as watched:
        for _ in range(2):
            model(torch.randn(4, 3)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
    made = stetho.graph(model, (4, 3), stats=watched.path)
    layer = next(node for node in made.data.nodes if node.about.get("layer") == "1")
    assert layer.numbers["act.absmax"] <= 1
