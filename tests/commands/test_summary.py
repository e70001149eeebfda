"""Tests of `stetho summary`."""

import json
from pathlib import Path

import pytest

from stetho.__main__ import main

NETWORKS = str(Path(__file__).parents[1] / "inspect" / "networks.py")


def test_prints_layers_and_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", f"{NETWORKS}:Gpt(depth=3)", "--input", "2,6:int64"]) == 0
    said = capsys.readouterr().out
    assert "blocks.0 … 2 ×3" in said
    assert "kept for the backward pass" in said


def test_takes_dicts_names_and_plain_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", f"{NETWORKS}:Batch", "--input", "0.image=2,4", "--input", "0.text=2,2"]) == 0
    assert main(["summary", f"{NETWORKS}:Deciding", "--input", "2,4", "--input", "times==2"]) == 0
    assert capsys.readouterr().out.count("above") == 1


def test_prints_json_and_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["summary", "torch.nn:Linear(2, 3)", "--input", "1,2"]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["totals"]["parameters"] == 9
    assert main([*words, "--markdown", "--columns", "class,time"]) == 0
    assert capsys.readouterr().out.startswith("| layer | class | time |")


def test_a_failing_model_is_shown_as_far_as_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", f"{NETWORKS}:Wrong", "--input", "3,4"]) == 1
    said = capsys.readouterr().out
    assert "failed: layer `second` (Linear) failed in linear" in said
    assert "takes 9 features" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torch.nn:ReLU", "--depth", "-1"], "`--depth` (=-1) is less than 0"),
        (["torch.nn:ReLU", "--columns", "flop"], "unknown column `flop`"),
        (["torch.nn.functional:relu_"], "cannot be made"),
        (["math:pi"], "is a float, not a module"),
    ],
)
def test_bad_input_is_one_clear_error(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(["summary", *words]) == 2
    assert message in capsys.readouterr().err
