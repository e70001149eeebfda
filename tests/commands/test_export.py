"""`stetho export` writes one folder and says where it is."""

from pathlib import Path

import pytest

from stetho.__main__ import main
from stetho.commands import export as command
from stetho.store import export
from stetho.store.writer import RunWriter


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only run in ./stetho-runs."""
    monkeypatch.chdir(tmp_path)
    writer = RunWriter.create(Path("stetho-runs"), "train", {})
    writer.append("steps", {"step": 1, "loss": 0.5})
    writer.close({})
    return writer.path


@pytest.mark.parametrize("format", command.FORMATS)
def test_writes_into_the_run_unless_told_otherwise(run: Path, capsys: pytest.CaptureFixture[str], format: str) -> None:
    assert main(["export", str(run), "--to", format]) == 0
    target = run / f"export-{format}"
    assert capsys.readouterr().out == f"{target}\n"
    assert {path.suffix for path in target.iterdir()} >= {".json"}
    assert len(list(target.iterdir())) > 1


def test_the_latest_run_goes_where_it_is_told(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--to", "csv", "--out", str(tmp_path / "a" / "b")]) == 0
    assert (tmp_path / "a" / "b" / "steps.csv").exists()
    assert not (run / "export-csv").exists()
    assert main(["export", "--to", "csv", "--out", str(tmp_path / "a" / "b")]) == 2
    assert "give --force" in capsys.readouterr().err
    assert main(["export", "--to", "csv", "--out", str(tmp_path / "a" / "b"), "--force"]) == 0


@pytest.mark.parametrize("words", [["--to", "excel"], [], ["nowhere", "--to", "csv"], ["--to", "csv", "--rank", "1"]])
def test_wrong_usage_is_status_2(run: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["export", *words]) == 2
    assert capsys.readouterr().err.startswith("stetho: ")
    assert run.exists()


def test_the_command_knows_every_format_of_the_store() -> None:
    assert command.FORMATS == export.FORMATS


def test_an_exported_run_still_reads(run: Path) -> None:
    from stetho.store.reader import open_run

    assert main(["export", "--to", "parquet"]) == 0
    assert open_run(run).table("steps").num_rows == 1
    assert open_run().path == run
