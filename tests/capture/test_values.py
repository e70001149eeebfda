"""Values as text: short, without secrets, without running code of the program."""

from pathlib import Path
from typing import Any

import pytest

from stetho.capture.values import HIDDEN, LONGEST, is_shown, value_text


class Nasty:
    """Whoever prints it, or asks how long it is, is punished."""

    def __init__(self) -> None:
        self.lr = 0.1

    def __repr__(self) -> str:
        raise AssertionError("__repr__ was run")

    def __len__(self) -> int:
        raise AssertionError("__len__ was run")


class NastyList(list[int]):
    """A list with a will of its own."""

    def __iter__(self) -> Any:
        raise AssertionError("__iter__ was run")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, "3"),
        (None, "None"),
        ("abc", "'abc'"),
        ((1, 2), "(1, 2)"),
        ({"a": [1]}, "{'a': [1]}"),
        ([1] * 100, "[1, 1, 1, 1, 1, 1, … 100 in all]"),
        ([[[1]]], "[[<list of 1>]]"),
        (Path("a/b"), "PosixPath('a/b')"),
        (Nasty(), "Nasty(lr=0.1)"),
        ([Nasty()], "[<Nasty>]"),
        (NastyList([1]), "<NastyList>"),
        (10**40, "a very large number"),
    ],
)
def test_is_short_and_safe(value: object, expected: str) -> None:
    assert value_text(value) == expected


def test_long_text_is_cut() -> None:
    assert len(value_text("x" * 10_000)) <= LONGEST


@pytest.mark.parametrize("name", ["password", "API_KEY", "hf_token", "client_secret", "key"])
def test_secrets_are_hidden(name: str) -> None:
    assert value_text("abc", name) == HIDDEN
    assert value_text(["abc"], name) == HIDDEN
    assert "abc" not in value_text({name: "abc"})
    assert value_text(3, name) == "3"


def test_tensors_are_no_secrets() -> None:
    assert value_text(object(), "key", lambda _: "float32[2]") == "float32[2]"


def test_functions_classes_and_modules_are_not_shown() -> None:
    assert [is_shown("x", value) for value in (pytest, is_shown, Nasty, 3)] == [False, False, False, True]
