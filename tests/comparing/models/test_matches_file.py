"""The file with the table of matches."""

from pathlib import Path

import numpy as np
import pytest

from stetho.comparing.models.layers import Match
from stetho.comparing.models.matches_file import check_matches, read_matches, write_matches
from stetho.comparing.models.sides import Sides, joined
from stetho.comparing.models.trace import OPERATION, Layer, Site, Trace
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


def sides(*pairs: tuple[list[float], list[float]]) -> Sides:
    """A layer of each model for each pair of outputs: `a0` and `b0`, `a1` and `b1` and so on."""
    traces = [
        Trace(
            name,
            [Site(at, OPERATION, "linear", f"{name}{at}", np.array(pair[side])) for at, pair in enumerate(pairs)],
            [Layer(f"{name}{at}", "Linear", at, at, 1) for at in range(len(pairs))],
            list(range(len(pairs))),
        )
        for side, name in enumerate("ab")
    ]
    return joined((traces[0], traces[1]), 1e-9)


ONES, TWOS, OTHERS = [1.0, 1.5, 2.0], [2.0, 4.5, 2.5], [7.0, 8.5, 9.5]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            "b1",
            r"matches.txt: `a0 = b1` is no match: `a0` gives what `b0` of the second .* `b1` what `a1` of the first",
        ),
        ("b2", r"`a0 = b2` is no match: they give 3 and 2; change or remove the line"),
    ],
)
def test_layers_that_belong_to_others_are_no_match(second: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_matches("matches.txt", [("a0", second)], sides((ONES, ONES), (TWOS, TWOS), (ONES[:2], TWOS[:2])))


def test_layers_that_differ_and_have_no_other_partner_may_be_matched() -> None:
    check_matches("matches.txt", [("a0", "b0")], sides((ONES, OTHERS)))


def test_layers_that_agree_may_be_matched_wherever_else_the_values_are() -> None:
    check_matches("matches.txt", [("a0", "b1")], sides((ONES, ONES), (ONES, ONES)))
