"""pyproject.toml: which one counts, and what is said of a bad one."""

from pathlib import Path

import pytest

from stetho.errors import UsageError
from stetho.project_file import nearest_project_file, read_project_file


def project(folder: Path, text: str) -> Path:
    file = folder / "pyproject.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_nearest_one_above_counts(tmp_path: Path) -> None:
    project(tmp_path, "")
    (tmp_path / "inner" / "deeper").mkdir(parents=True)
    inner = project(tmp_path / "inner", "")
    assert nearest_project_file(tmp_path / "inner" / "deeper") == inner


def test_other_tables_are_none_of_ours(tmp_path: Path) -> None:
    assert read_project_file(project(tmp_path, "[tool.other]\nevery = 1\n[tool.stetho]\nevery = 7\n")) == {"every": 7}
    assert read_project_file(project(tmp_path, "[project]\nname = 'x'\n")) == {}


def test_a_syntax_error_names_the_file_and_the_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"not valid TOML .*pyproject.toml:2"):
        read_project_file(project(tmp_path, "[tool.stetho]\nevery = = 3\n"))


def test_a_file_that_is_no_text_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match=r"cannot be read .*pyproject.toml"):
        read_project_file(tmp_path / "pyproject.toml")


@pytest.mark.parametrize("text", ["[tool]\nstetho = 3\n", "[[tool.stetho]]\nevery = 3\n"])
def test_settings_must_be_a_table(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a table"):
        read_project_file(project(tmp_path, text))
