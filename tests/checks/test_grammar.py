"""What a check must be like, rule by rule."""

import pytest

from stetho.checks.declare import check
from stetho.checks.grammar import problems_of
from stetho.checks.window import Window

PAGE = """A fault.

## What it finds
It, with `share`.
## Why it matters
So.
## What to try
This.
## When it is wrong
Never.
"""


def problems(function, page: str = PAGE, name: str = "cold_start", **declared) -> list[str]:
    function.__name__, function.__doc__ = name, page
    return problems_of(check(**{"severity": "error", **declared})(function))


def plain(window: Window, *, share: float = 0.5) -> None: ...


def test_a_good_check_has_no_problems() -> None:
    assert problems(plain) == []


@pytest.mark.parametrize("name", ["Cold_Start", "_cold", "cold__start", "kalt_größe"])
def test_a_name_is_lowercase_words_with_dashes(name: str) -> None:
    assert "is not lowercase words with dashes" in problems(plain, name=name)[0]


@pytest.mark.parametrize("name", ["check_rate", "detect_rate", "no_rate", "bad_rate"])
def test_a_name_is_no_command_and_no_judgement(name: str) -> None:
    assert "begins with" in problems(plain, name=name)[0]


def test_every_heading_is_filled() -> None:
    assert problems(plain, PAGE.replace("So.\n", "")) == ["there is nothing under the heading `## Why it matters`"]
    assert len(problems(plain, "A fault.")) == 5


@pytest.mark.parametrize(
    ("line", "problem"), [("", "no docstring"), ("A fault", "full stop"), ("A " + "very " * 20 + "bad fault.", "fit")]
)
def test_the_first_line_fits(line: str, problem: str) -> None:
    assert problem in problems(plain, PAGE.replace("A fault.", line, 1) if line else "")[0]


def test_an_unknown_severity_is_named() -> None:
    assert problems(plain, severity="fatal") == ["severity (='fatal') is not one of error, warning, note"]


def test_what_it_explains_are_names_of_others() -> None:
    assert problems(plain, explains=("Loss Plateau",)) == [
        "`explains` holds 'Loss Plateau', which is not the name of a check"
    ]
    assert problems(plain, explains=("cold-start",)) == ["it explains itself"]


def test_options_are_keyword_only_with_plain_defaults_and_explained() -> None:
    def positional(window: Window, share: float = 0.5) -> None: ...
    def without_default(window: Window, *, share: float) -> None: ...
    def odd_default(window: Window, *, share: object = ()) -> None: ...
    def unexplained(window: Window, *, rate: float = 0.5) -> None: ...
    def nothing() -> None: ...

    assert problems(positional) == ["argument `share` is not keyword-only; options stand after a `*`"]
    assert problems(without_default) == ["option `share` has no default"]
    assert problems(odd_default) == ["option `share` (=()) is not a number, a text, true or false"]
    assert problems(unexplained) == ["option `rate` is not explained; name it in backticks in the page"]
    assert problems(nothing) == ["its first argument is not the window"]
