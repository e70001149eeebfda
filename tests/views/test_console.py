"""Where views are drawn."""

import io
import os
import termios
from collections.abc import Iterator

import pytest

from stetho.views.console import WIDTH_OF_A_PIPE, console_for, spoken


@pytest.fixture
def terminal() -> Iterator[io.TextIOWrapper]:
    """A terminal of 60 columns."""
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (24, 60))
    with open(slave, "w", encoding="utf-8") as file:
        yield file
    os.close(master)


def test_a_pipe_has_no_width_of_its_own() -> None:
    assert console_for(io.StringIO()).width == WIDTH_OF_A_PIPE


def test_the_caller_can_set_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert console_for(io.StringIO()).width == 60


def test_text_is_shown_as_it_is() -> None:
    file = io.StringIO()
    console_for(file).print("[bold]not a tag[/bold] :smile: 12")
    assert file.getvalue() == "[bold]not a tag[/bold] :smile: 12\n"


def test_what_we_say_is_broken_between_words_on_a_terminal_only(terminal: io.TextIOWrapper) -> None:
    words = "the step is in stetho-runs/2026_train/bundle-step-00000021: batch, parameters and source of the model"
    lines = spoken(words, terminal).splitlines()
    assert len(lines) > 1
    assert all(len(line) < 60 for line in lines)
    assert any("stetho-runs/2026_train/bundle-step-00000021:" in line for line in lines)
    assert " ".join(" ".join(lines).split()) == f"stetho: {words}"
    assert spoken(words, io.StringIO()) == f"stetho: {words}"
