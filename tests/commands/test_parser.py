"""Command lines: ours before the program, the program's after it."""

import argparse

import pytest

from stetho.commands import load
from stetho.commands.parser import flags_of, given_options, parse, parser_of, split_at_program
from stetho.config import OPTIONS
from stetho.errors import UsageError


def parsed(*words: str) -> argparse.Namespace:
    return parse(load("run"), words)


@pytest.mark.parametrize(
    ("words", "program"),
    [
        (["train.py"], ["train.py"]),
        (["--every", "5", "train.py", "--every", "9"], ["train.py", "--every", "9"]),
        (["--every=5", "-v", "-q", "train.py", "-h"], ["train.py", "-h"]),
        (["-vv", "--no-memory", "-m", "pkg.train", "--", "-m"], ["-m", "pkg.train", "--", "-m"]),
        (["--memory", "--", "-odd-name.py", "x"], ["-odd-name.py", "x"]),
        (["train.py", "--", "a"], ["train.py", "--", "a"]),
        (["-"], ["-"]),
        ([], []),
        (["--every"], []),
    ],
)
def test_the_program_begins_at_the_first_word_that_is_not_ours(words: list[str], program: list[str]) -> None:
    assert split_at_program(parser_of(load("run")), words)[1] == program


def test_only_what_was_given_is_given() -> None:
    assert given_options(parsed("train.py")) == {}
    given = given_options(
        parsed("--every", "5", "--memory", "--no-eager", "-vv", "--layers", "a", "--layers=b", "x.py")
    )
    assert given == {"every": "5", "memory": True, "eager": False, "verbose": 2, "layers": ["a", "b"]}


def test_every_option_with_a_flag_can_be_given() -> None:
    flags = set(flags_of(parser_of(load("run"))))
    assert {option.flags[-1] for option in OPTIONS.values() if option.flags} <= flags


def test_an_unknown_option_before_the_program_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"unknown option `--evry`, did you mean `--every`\? Known: --help, --every, "):
        parsed("--evry=5", "train.py")


def test_an_option_is_never_abbreviated() -> None:
    with pytest.raises(UsageError, match="unknown option `--ever`"):
        parsed("--ever", "5", "train.py")


def test_a_missing_value_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"--every: expected one argument; see: stetho run --help"):
        parsed("--every")


def test_a_word_too_many_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="one word too many: `b`; see: stetho show --help"):
        parse(load("show"), ["a", "b"])
