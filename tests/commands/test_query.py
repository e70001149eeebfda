"""`stetho query` prints answers that people and programs can read."""

import csv
import io
import json
from pathlib import Path

import pytest

from stetho.__main__ import main
from stetho.store.writer import RunWriter


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only run in ./stetho-runs, with 150 steps."""
    monkeypatch.chdir(tmp_path)
    writer = RunWriter.create(Path("stetho-runs"), "train", {})
    for step in range(150):
        loss = float("nan") if step == 3 else step / 3
        writer.append("steps", {"step": step, "loss": loss, "lrs": [0.1, 0.2], "tier": None if step == 1 else "full"})
    writer.close({})
    return writer.path


def test_prints_a_table(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "select step, loss, tier from steps where step < 4 order by step"]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "step      loss  tier",
        "   0         0  full",
        "   1  0.333333",
        "   2  0.666667  full",
        "   3       nan  full",
    ]


def test_the_run_may_be_left_out(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", "select count(*) as n from steps", "--csv"]) == 0
    assert capsys.readouterr().out == '"n"\n150\n'
    assert main(["query", "train", "select 1 as one", "--csv"]) == 0
    assert run.exists()


def test_a_long_table_is_cut_with_a_note(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "select step from steps"]) == 0
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 101
    assert captured.err == "100 of 150 rows; --rows 0 prints all\n"


@pytest.mark.parametrize(("words", "lines"), [(["--rows", "0"], 151), (["--rows", "7"], 8), (["--csv"], 151)])
def test_the_number_of_rows_can_be_chosen(
    run: Path, capsys: pytest.CaptureFixture[str], words: list[str], lines: int
) -> None:
    assert main(["query", str(run), "select step from steps", *words]) == 0
    assert len(capsys.readouterr().out.splitlines()) == lines


def test_csv_can_be_read_back(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "select step, lrs, tier from steps order by step limit 2", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows == [{"step": "0", "lrs": "0.1 0.2", "tier": "full"}, {"step": "1", "lrs": "0.1 0.2", "tier": ""}]


def test_csv_of_no_rows_is_its_header(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "select step, lrs from steps where step < 0", "--csv"]) == 0
    assert capsys.readouterr().out == '"step","lrs"\n'


def test_json_can_be_read_back(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql = "select step, loss, tier, lrs, 1.5 as half from steps where step in (1, 3) order by step"
    assert main(["query", str(run), sql, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"step": 1, "loss": 1 / 3, "tier": None, "lrs": [0.1, 0.2], "half": 1.5},
        {"step": 3, "loss": "NaN", "tier": "full", "lrs": [0.1, 0.2], "half": 1.5},
    ]


def test_a_pipe_gets_whole_rows(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "select repeat('x', 500) as long, [step] as list from steps limit 1"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["x" * 500, "[0]"]


def test_text_that_looks_like_markup_is_text(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "select '[bold]x[/]' as \"[red]\""]) == 0
    assert capsys.readouterr().out.split() == ["[red]", "[bold]x[/]"]


def test_wrong_sql_is_an_error_with_the_tables_and_status_2(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(run), "select nothing from steps"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith('stetho: Binder Error: Referenced column "nothing" not found')
    assert "\nsteps: step, time, epoch" in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    "words", [["nowhere", "select 1"], ["--csv", "--json", "select 1"], [], ["--rank", "3", "select 1"]]
)
def test_wrong_usage_is_status_2(run: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["query", *words]) == 2
    assert capsys.readouterr().err.startswith("stetho: ")
    assert run.exists()


def test_a_damaged_run_is_status_2(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    segment = next((run / "steps").iterdir())
    segment.write_bytes(b"")
    assert main(["query", str(run), "select 1 from steps"]) == 2
    captured = capsys.readouterr()
    assert segment.name in captured.err
    assert captured.err.count("\n") == 1
