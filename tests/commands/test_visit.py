"""Tests of `stetho visit`."""

import json
from pathlib import Path

import pytest

from stetho.__main__ import main

NETWORKS = str(Path(__file__).parents[1] / "inspect" / "networks.py")


def test_lists_the_operations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["visit", f"{NETWORKS}:Gpt", "--input", "2,6:int64", "--layer", "blocks.0.mlp*"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1:3] for line in lines[1:]] == [
        ["linear", "blocks.0.mlp.0"],
        ["gelu", "blocks.0.mlp.1"],
        ["linear", "blocks.0.mlp.2"],
    ]


def test_shows_values_and_the_backward_pass_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["visit", "torch.nn:Linear(3, 2)", "--input", "1,3", "--json", "--values", "--backward"]
    assert main(words) == 0
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert documents[0]["function"].endswith("linear")
    assert documents[0]["values"]
    assert documents[-1]["phase"] == "backward"


def test_a_model_that_fails_shows_what_ran_and_then_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["visit", f"{NETWORKS}:Wrong", "--input", "3,4"]) == 2
    said = capsys.readouterr()
    assert "relu" in said.out
    assert said.err.startswith("stetho: layer `second` (Linear) failed in linear(float32[3, 8]")
    assert said.err.count("\n") == 1


def test_where_nothing_ran_there_is_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["visit", "torch.nn:Linear(3, 1)", "--input", "1,4"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torch.nn:Linear(1, 1)"], "no inputs: Linear.forward takes (input)"),
        (["torch.nn:Linear(1, 1)", "--input", "1,x"], "`1,x` is no input"),
        (["torch.nn:Lineal", "--input", "1"], "did you mean `Linear`"),
        (["torch.nn:ReLU", "--input", "1", "--layer", "b*"], "no operation is in a layer that matches `b*`"),
        (["torch.nn:ReLU", "--input", "1", "--operation", "gelu"], "no operation matches `gelu`; there are relu"),
    ],
)
def test_bad_input_is_one_clear_error(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(["visit", *words]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""
