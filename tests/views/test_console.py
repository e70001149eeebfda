"""Where views are drawn."""

import io

import pytest

from stetho.views.console import WIDTH_OF_A_PIPE, console_for


def test_a_pipe_has_no_width_of_its_own() -> None:
    assert console_for(io.StringIO()).width == WIDTH_OF_A_PIPE


def test_the_caller_can_set_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert console_for(io.StringIO()).width == 60


def test_text_is_shown_as_it_is() -> None:
    file = io.StringIO()
    console_for(file).print("[bold]not a tag[/bold] :smile: 12")
    assert file.getvalue() == "[bold]not a tag[/bold] :smile: 12\n"
