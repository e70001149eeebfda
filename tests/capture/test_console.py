"""The shell inside of a program."""

import builtins
import sys

import pytest

from stetho.capture import console
from stetho.capture.console import has_terminal, open_console


@pytest.fixture
def typed(monkeypatch):
    """Types lines into the plain shell; gives what was asked."""

    def typed(*lines):
        remaining = list(lines)

        def read(_prompt=""):
            if not remaining:
                raise EOFError
            return remaining.pop(0)

        monkeypatch.setattr(builtins, "input", read)
        monkeypatch.setattr(console, "_ipython", lambda: None)
        return remaining

    return typed


def test_sees_and_changes_the_names_it_is_given(typed, capsys):
    seen = []
    typed("seen.append(x + 1)")
    open_console({"x": 1, "seen": seen}, "hello")
    assert seen == [2]
    assert "hello" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["go()", "exit()"])
def test_can_be_left(word, typed):
    left = typed(word, "never")
    open_console({}, "")
    assert left == ["never"]


def test_stays_open_after_an_error(typed, capsys):
    left = typed("1 / 0", "go()")
    open_console({}, "")
    assert left == []
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_uses_ipython_where_it_is_installed(monkeypatch):
    calls = []
    monkeypatch.setattr(console, "_ipython", lambda: lambda **given: calls.append(given))
    open_console({"x": 1}, "hello")
    assert (calls[0]["header"], calls[0]["user_ns"]["x"]) == ("hello", 1)


def test_knows_when_nobody_can_type(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert not has_terminal()
