"""The file with the table of matches."""

from pathlib import Path

import pytest

from stetho.comparing.models.layers import Match
from stetho.comparing.models.matches_file import read_matches, write_matches
from stetho.comparing.models.trace import Layer, Trace
from stetho.errors import UsageError

ONE = Trace("first", [], [Layer("fc", "Linear", 0, 0, 1), Layer("", "Net", 0, 1, 0)], [])
OTHER = Trace("second", [], [Layer("body", "Linear", 0, 0, 1), Layer("", "Net", 0, 1, 0)], [])


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "matches.txt"
    write_matches(file, [Match(ONE.layers[0], OTHER.layers[0]), Match(ONE.layers[1], OTHER.layers[1])])
    assert read_matches(file, ONE, OTHER) == [("fc", "body"), ("", "")]


def test_layers_without_a_partner_are_comments(tmp_path: Path) -> None:
    file = tmp_path / "matches.txt"
    write_matches(file, [Match(ONE.layers[0], None)])
    assert read_matches(file, ONE, OTHER) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fc body", "1: `fc body` is no match"),
        ("fc = bdy", "bdy.*body"),
        ("fc = body\nfc = body", "2: .* for the second time"),
        ("= body", "is no match"),
        ("nothing = body", r"known: .*\(model\)"),
    ],
)
def test_a_bad_line_is_told_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "matches.txt"
    file.write_text(line)
    with pytest.raises(UsageError, match=message):
        read_matches(file, ONE, OTHER)


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        write_matches(tmp_path / "no" / "matches.txt", [])


def test_a_file_of_bytes_is_told(tmp_path: Path) -> None:
    (tmp_path / "matches.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        read_matches(tmp_path / "matches.txt", ONE, OTHER)
