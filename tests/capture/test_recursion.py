"""Stacks without end are told in a few lines, and stay what they are otherwise."""

from stetho.capture.recursion import folded, is_endless


def test_a_single_line_that_is_repeated_is_said_once() -> None:
    assert list(folded(["f"] * 100 + ["  ..."])) == ["f", "  … this line 99 times more", "  ..."]


def test_a_round_that_begins_and_ends_in_the_middle_loses_nothing() -> None:
    lines = ["g", *["f", "g"] * 6, "f", "main"]
    assert list(folded(lines)) == ["g", "f", "  … these 2 lines 6 times more", "main"]


def test_what_is_repeated_a_few_times_stays() -> None:
    lines = ["call", "call", "forward", "call", "call", "forward"]
    assert list(folded(lines)) == lines
    assert list(folded([])) == []


def test_a_deep_stack_is_not_endless() -> None:
    assert not is_endless([f"f{number}" for number in range(100)])
    assert not is_endless(["f"] * 6)
    assert is_endless(["error", "thread", *["f", "g", "h"] * 33])
