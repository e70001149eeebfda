"""Stacks without end are told in a few lines, and stay what they are otherwise."""

from stetho.capture.recursion import endless_round, folded


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
    assert not endless_round([f"f{number}" for number in range(100)])
    assert not endless_round(["f"] * 6)
    assert endless_round(["error", "thread", *["f", "g", "h"] * 33]) == ["f", "g", "h"]


def test_modules_that_call_each_other_are_a_round_wherever_it_begins() -> None:
    calls = [f"frame {number}" for number in range(8)]
    assert endless_round([*(f"kernel {number}" for number in range(9)), *calls * 11]) == calls
