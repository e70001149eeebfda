"""The examples run, and leave a run that can be read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from stetho import open_run

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_healthy_example_learns_under_watch(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "stetho", "run", "--quiet", EXAMPLES / "digits.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert float(done.stdout.split()[-1]) > 0.9
    run = open_run(tmp_path / "stetho-runs")
    assert run.state == "finished"
    assert run.info["steps"] == 8 * 47
    assert set(run.table("stats")["phase"].to_pylist()) == {"train", "eval"}


def test_the_fault_of_the_program_with_bad_scores_is_named(tmp_path: Path) -> None:
    verdict = tmp_path / "verdict.json"
    words = [sys.executable, "-m", "stetho", "run", "--quiet", "--json", verdict, EXAMPLES / "bad_scores.py"]
    subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    first = json.loads(verdict.read_text())["findings"][0]
    assert first["check"] == "unregistered-layer"
    assert (
        Path(first["where"]["file"])
        .read_text()
        .splitlines()[first["where"]["line"] - 1]
        .strip()
        .startswith("self.hidden = [")
    )


def test_the_notebook_example_logs_and_calls_back(tmp_path: Path) -> None:
    words = [sys.executable, EXAMPLES / "notebook_style.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.count("loss") == 5
    run = open_run(tmp_path / "stetho-runs")
    assert run.table("metrics")["name"].to_pylist().count("error") == 10


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.name)
def test_every_example_says_how_to_run_it(example: Path) -> None:
    assert f"examples/{example.name}" in example.read_text(encoding="utf-8").partition('"""\n\n')[0]
