"""What a person types finds the run that is meant."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stetho.errors import NotARun, RunNotFound, UsageError
from stetho.store.find import find_run, find_runs, rank_folders
from stetho.store.writer import RunWriter


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes the folder of a run in ./stetho-runs."""
    monkeypatch.chdir(tmp_path)

    def make(name: str) -> Path:
        folder = Path("stetho-runs") / name
        folder.mkdir(parents=True)
        (folder / "run.json").write_text("{}")
        return folder

    return make


def test_nothing_given_means_the_latest(make: Callable[[str], Path]) -> None:
    make("2026-11-15_10-00-00_b")
    latest = make("2026-11-16_09-00-00_a")
    assert find_run(None, None) == find_run("stetho-runs", None) == latest


def test_of_runs_of_one_second_the_last_one_is_the_latest(make: Callable[[str], Path]) -> None:
    runs = [make(f"2026-11-15_10-00-00_train{suffix}") for suffix in ("", "-2", "-10")]
    assert find_runs(Path("stetho-runs")) == runs


def test_a_run_is_found_by_its_path_by_its_folder_and_by_its_name(make: Callable[[str], Path]) -> None:
    make("2026-11-15_10-00-00_train")
    second = make("2026-11-15_10-00-01_train-2")
    make("2026-11-15_10-00-02_trainer")
    assert find_run(second, None) == find_run(str(second), None) == second
    assert find_run(second.name, None) == second
    assert find_run("train", None) == second


def test_a_run_that_is_not_there_is_said_with_those_that_are(make: Callable[[str], Path]) -> None:
    make("2026-11-15_10-00-00_train")
    with pytest.raises(RunNotFound, match=r"nothing: no such folder.*2026-11-15_10-00-00_train"):
        find_run("nothing", None)


def test_no_runs_at_all_says_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RunNotFound, match="stetho run"):
        find_run(None, None)
    assert find_runs(Path("stetho-runs")) == []


def test_a_folder_or_file_that_is_no_run_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotARun, match="is a file"):
        find_run(tmp_path / "file", None)
    with pytest.raises(NotARun, match=r"neither a run\.json nor runs"):
        find_run(tmp_path, None)


def test_ranks_are_found_from_the_job_and_from_each_other(make: Callable[[str], Path]) -> None:
    ranks = [make(f"2026-11-15_10-00-00_train/rank={rank}") for rank in (0, 1, 10)]
    job = ranks[0].parent
    assert rank_folders(job) == dict(zip((0, 1, 10), ranks, strict=True))
    assert find_run(job, None) == find_run(None, None) == ranks[0]
    assert find_run(job, 10) == find_run(ranks[0], 10) == ranks[2]
    with pytest.raises(UsageError, match="no rank 2; its ranks are 0, 1, 10"):
        find_run(job, 2)


def test_a_rank_of_a_run_of_one_process_is_an_error(make: Callable[[str], Path]) -> None:
    run = make("2026-11-15_10-00-00_train")
    with pytest.raises(UsageError, match="recorded by one process"):
        find_run(run, 0)


def test_runs_are_looked_for_where_the_project_records_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.stetho]\nout = "elsewhere"\n')
    made = RunWriter.create(Path("elsewhere"), "train", {}).path
    assert find_run(None, None) == find_run("train", None) == made
