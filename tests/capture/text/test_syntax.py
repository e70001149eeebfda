"""The syntax of the program's files."""

import ast
from pathlib import Path

import pytest

from stetho.capture.text import syntax
from stetho.capture.text.syntax import own_nodes, read, syntax_of


def test_a_file_that_is_no_python_has_no_syntax(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def (")
    assert syntax_of(str(tmp_path / "a.py")) is None


def test_too_long_a_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "LARGEST_SOURCE", 10)
    (tmp_path / "b.py").write_text("a = 1  # a comment")
    assert syntax_of(str(tmp_path / "b.py")) is None


def test_a_line_is_parted_into_file_and_number(tmp_path: Path) -> None:
    file = tmp_path / "c.py"
    file.write_text("a = 1")
    name, tree, number = read(f"{file}:7")
    assert (name, number, ast.unparse(tree)) == (str(file), 7, "a = 1")
    assert read("nothing")[2] == 0


def test_functions_inside_are_not_of_the_scope() -> None:
    tree = ast.parse("a = 1\ndef f():\n    b = 2")
    assert [node.id for node in own_nodes(tree) if isinstance(node, ast.Name)] == ["a"]
