"""`stetho equivalent` as it is typed."""

import argparse
import json

import pytest

import tests.equivalence.setups as setups
from stetho.__main__ import main
from stetho.commands.equivalent import read_words

PLACE = f"{setups.__file__}:uneven"


def test_a_difference_has_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equivalent", "accumulate", "--parts", "2", PLACE]) == 1
    assert "micro-batches of 8, 7 samples" in capsys.readouterr().out


def test_equal_ways_have_status_zero_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equivalent", "--json", "-", "resume", "--steps", "2", PLACE]) == 0
    assert json.loads(capsys.readouterr().out)["equal"] is True


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no test given"),
        (["acumulate", "a.py:setup"], "did you mean `accumulate`"),
        (["accumulate"], "nothing to test"),
        (["accumulate", "--part", "2", PLACE], "unknown option `--part`"),
        (["accumulate", PLACE, "more"], "one word too many"),
        (["resume", "gone.py"], "no such program"),
        (["accumulate", "--parts", "1", PLACE], "`parts` (=1) at least 2"),
    ],
)
def test_bad_words_get_one_clear_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equivalent", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_arguments_that_begin_with_dashes_are_taken_as_the_words_to_resume_with() -> None:
    arguments = argparse.Namespace(program=["resume", "--at", "5", "--with", "--resume", "train.py", "--with", "x"])
    test, read, target = read_words(arguments)
    assert (test, read.again, read.at, target) == ("resume", "--resume", 5, ["train.py", "--with", "x"])
