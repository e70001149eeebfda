"""Lines of the training loop, by event."""

import sys

from stetho.capture.lines import MOST_LINES, Lines


def run(program, lines):
    """Execute the text of a program that calls `note(event)`."""
    note = lambda event: lines.note(event, sys._getframe(1))  # noqa: E731
    exec(compile(program, "train.py", "exec"), {"note": note})


def test_remembers_each_line_once_in_the_order_first_seen():
    lines = Lines()
    run("for _ in range(3):\n  note('backward')\n  note('backward')", lines)
    assert lines.found == {"backward": ["train.py:2", "train.py:3"]}


def test_says_which_line_it_was():
    lines = Lines()
    assert lines.note("step", sys._getframe()) == lines.found["step"][0]


def test_events_are_kept_apart():
    lines = Lines()
    lines.note("step", sys._getframe())
    lines.note("zero_grad", sys._getframe())
    assert list(lines.found) == ["step", "zero_grad"]


def test_a_program_that_steps_in_many_places_does_not_fill_the_file():
    lines = Lines()
    run("\n".join(["note('step')"] * 3 * MOST_LINES), lines)
    assert lines.found["step"] == [f"train.py:{line}" for line in range(1, MOST_LINES + 1)]


def test_library_code_alone_leaves_no_line():
    lines = Lines()
    lines.note("step", None)
    assert lines.found == {}
