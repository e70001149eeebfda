"""A comment in the user's own file silences a check at that line, and nowhere else."""

from pathlib import Path

import pytest

from stetho.findings.finding import Finding, Where
from stetho.findings.suppression import Silence

SOURCE = """\
model(x)  # stetho: ignore[graph-cut]
# stetho: ignore[loss-plateau, graph-cut]
loss.backward()
step()  # stetho: ignore[other]
after()
x = 1  #stetho:ignore[ graph-cut ]
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "train.py"
    path.write_text(SOURCE)
    return str(path)


def is_silenced(file: str | None, line: int | None, check: str = "graph-cut") -> bool:
    return Silence().covers(Finding(check, "error", 0.9, "title 1", Where(file=file, line=line)))


@pytest.mark.parametrize(
    ("line", "silenced"), [(1, True), (2, True), (3, True), (4, False), (5, False), (6, True), (7, False)]
)
def test_silences_at_the_line_and_below_a_comment_of_its_own(file: str, line: int, silenced: bool) -> None:
    assert is_silenced(file, line) is silenced


def test_names_several_checks(file: str) -> None:
    assert is_silenced(file, 3, "loss-plateau")
    assert not is_silenced(file, 1, "loss-plateau")


def test_a_comment_at_the_end_of_the_line_above_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text("a()  # stetho: ignore[graph-cut]\nb()\n")
    assert not is_silenced(str(path), 2)


@pytest.mark.parametrize("line", [0, -1, 900])
def test_a_line_that_is_not_there_silences_nothing(file: str, line: int) -> None:
    assert not is_silenced(file, line)


def test_a_file_that_is_not_there_silences_nothing(tmp_path: Path) -> None:
    assert not is_silenced(str(tmp_path / "gone.py"), 1)
    assert not is_silenced("bad\0name", 1)
    assert not is_silenced(None, None)


def test_a_file_that_is_no_text_silences_nothing(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_bytes(b"\xff\xfe\x00\n" * 3)
    assert not is_silenced(str(path), 1)
