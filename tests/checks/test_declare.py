"""A check is declared by a function: name, page and options come from it."""

import pytest

from stetho.checks.declare import Check, Skip, check, first_sentence, sections_of
from stetho.checks.window import Window
from stetho.findings.finding import Finding
from stetho.testing import make_window


@check(severity="error", explains=("loss-plateau",), preview=True, needs_end=True)
def cold_start(window: Window, *, steps: int = 10, share: float = 0.5) -> Finding | list[Finding] | None:
    """A start that is cold.

    ## What it finds
    Cold.

    ## What to try
    Warm it up for `steps` steps. Or wait.
    """
    if window.count < steps:
        raise Skip("too short")
    return window.finding(f"cold for {window.count} steps", temperature=share)


def test_the_name_comes_from_the_function() -> None:
    assert (cold_start.name, cold_start.family, cold_start.owner) == ("cold-start", "own", f"{__name__}:cold_start")


def test_the_options_are_the_keyword_only_arguments() -> None:
    assert {name: (option.default, option.kind) for name, option in cold_start.options.items()} == {
        "steps": (10, "int"),
        "share": (0.5, "float"),
    }


def test_the_page_is_the_docstring() -> None:
    assert cold_start.summary == "A start that is cold."
    assert cold_start.sections == {
        "What it finds": "Cold.",
        "What to try": "Warm it up for `steps` steps. Or wait.",
    }


def test_a_finding_carries_what_the_check_declares() -> None:
    found = cold_start(make_window())
    assert isinstance(found, Finding)
    assert (found.check, found.severity, found.explains) == ("cold-start", "error", ("loss-plateau",))
    assert found.try_next == "Warm it up for `steps` steps."
    assert found.evidence == {"temperature": 0.5}


def test_options_reach_the_function() -> None:
    with pytest.raises(Skip, match="too short"):
        cold_start(make_window(), steps=100)


@pytest.mark.parametrize(("result", "number"), [(None, 0), ([], 0), ("one", 1), ("two", 2)])
def test_judging_gives_a_list_whatever_the_function_gives(result: object, number: int) -> None:
    @check(severity="note")
    def odd_one(window: Window) -> object:
        found = window.finding("title")
        return {"one": found, "two": [found, found]}.get(str(result), result)

    assert len(odd_one.judge(make_window(), {})) == number


def test_declaring_registers_nothing() -> None:
    from stetho.checks import CATALOG

    assert isinstance(cold_start, Check)
    assert cold_start not in CATALOG


def test_a_window_keeps_its_author_apart() -> None:
    window = make_window()
    cold_start(window)
    assert window.finding("title").check == "unnamed"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Use a rate of 0.1 or less.", "Use a rate of 0.1 or less."),
        ("Call `model.eval()`. Then go on.", "Call `model.eval()`."),
        ("No stop", "No stop"),
        ("", ""),
        ("One\nparagraph.\n\nAnother.", "One paragraph."),
    ],
)
def test_finds_the_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


def test_a_page_without_headings_has_no_sections() -> None:
    assert sections_of("Only a line.\n\n#### deeper\ntext") == {}
