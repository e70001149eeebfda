"""A folder of its own for a program."""

import os
from pathlib import Path

import pytest

from stetho.capture.launch import Program
from stetho.equivalence import folder
from stetho.equivalence.folder import changed_files, copied, moved_into, states, told_of
from stetho.errors import UsageError
from tests.comparing.conftest import record  # noqa: F401  # a fixture
from tests.comparing.trainings import Record


@pytest.fixture
def source(tmp_path: Path) -> Path:
    found = tmp_path / "work"
    (found / "runs").mkdir(parents=True)
    (found / "train.py").write_text("train")
    (found / "runs" / "3.pt").write_text("old")
    return found


def test_what_is_written_in_a_copy_stays_out_of_the_folder(source: Path, tmp_path: Path) -> None:
    with copied(source, tmp_path / "copy") as copy:
        (copy / "runs" / "3.pt").write_text("new")
        (copy / "more.pt").write_text("new")
    assert (source / "runs" / "3.pt").read_text() == "old"
    assert not (source / "more.pt").exists()
    assert not copy.exists()


def test_a_link_inside_leads_to_the_copy(source: Path, tmp_path: Path) -> None:
    (source / "last.pt").symlink_to(Path("runs") / "3.pt")
    (source / "newest").symlink_to("runs")
    with copied(source, tmp_path / "copy") as copy:
        (copy / "last.pt").write_text("new")
        (copy / "newest" / "4.pt").write_text("new")
        assert (copy / "runs" / "3.pt").read_text() == "new"
    assert (source / "runs" / "3.pt").read_text() == "old"
    assert not (source / "runs" / "4.pt").exists()


def test_links_to_elsewhere_environments_and_hidden_folders_are_not_copied(source: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (source / "data").symlink_to(data)
    for name in (".git", "env"):
        (source / name).mkdir()
    (source / "env" / "pyvenv.cfg").touch()
    with copied(source, tmp_path / "copy") as copy:
        assert [os.path.realpath(copy / name) for name in ("data", ".git", "env")] == [
            os.path.realpath(each) for each in (data, source / ".git", source / "env")
        ]


def test_a_folder_that_is_too_large_is_told_with_its_largest_part(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "runs" / "4.pt").write_bytes(b"0" * 100)
    monkeypatch.setattr(folder, "MOST_BYTES", 50)
    with pytest.raises(UsageError, match="most of it in runs; put this elsewhere"), copied(source, tmp_path / "copy"):
        pass


def test_files_that_were_written_are_told(source: Path) -> None:
    before = states(source)
    (source / "runs" / "4.pt").write_text("more")
    (source / "train.py").write_text("changed")
    assert changed_files(source, before) == ["train.py", os.path.join("runs", "4.pt")]


def test_a_module_is_found_where_python_finds_it(source: Path) -> None:
    assert moved_into(Program("package.train", is_module=True), source).target == "package.train"


def test_lines_are_those_of_the_folder_that_was_copied(record: Record) -> None:  # noqa: F811
    run = record(steps=1)
    (run.path / "model.json").write_text('{"places": ["/copy/train.py:3", "/copy-of/train.py:3"]}')
    assert told_of(run, Path("/copy"), Path("/home/me")).model["places"] == [
        "/home/me/train.py:3",
        "/copy-of/train.py:3",
    ]
