"""Sentences folded to a width, with a label in front."""

import pytest

from stetho.views.folding import Line, folded, labelled


def plain(lines: list[Line]) -> list[str]:
    return ["".join(piece for piece, _ in line) for line in lines]


def test_folds_between_words() -> None:
    assert plain(list(folded("one two three four", 2, 22, ""))) == ["one two three four"]
    assert plain(list(folded("one two three four five", 2, 22, ""))) == ["one two three four", "  five"]


def test_a_word_that_is_too_long_stays_whole() -> None:
    assert plain(list(folded("see /a/very/long/path/that/does/not/fit:12", 4, 24, "")))[1].endswith(":12")


def test_names_with_dashes_are_not_broken() -> None:
    assert all(
        "loss-plateau" in line or "-" not in line for line in plain(list(folded("a loss-plateau " * 9, 0, 20, "")))
    )


@pytest.mark.parametrize("width", [20, 30, 80])
def test_a_label_stands_in_front_of_the_first_line_only(width: int) -> None:
    lines = plain(list(labelled("try", "dim", "a smaller rate, or a longer warm-up, or both", "", 10, width)))
    assert lines[0].startswith("  try     a")
    assert all(line.startswith(" " * 10) for line in lines[1:])
    assert max(map(len, lines)) <= max(width, 30)


def test_nothing_gives_nothing() -> None:
    assert list(folded("", 2, 20, "")) == []
    assert list(labelled("try", "", "", "", 10, 40)) == []
