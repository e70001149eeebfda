"""The shell inside of a program."""

import builtins
import sys
import warnings

import pytest

from stetho.capture import console
from stetho.capture.console import has_terminal, is_open, open_console


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


@pytest.mark.parametrize("word", ["go()", "exit()"])
def test_ipython_is_used_where_it_is_installed_and_can_be_left(word, monkeypatch, capsys):
    pytest.importorskip("IPython")
    seen, lines = [], ["seen.append(x + 1)", "1 / 0", word, "never"]
    monkeypatch.setattr(builtins, "input", lambda _prompt="": lines.pop(0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # IPython's own, about the terminal that a test has not
        open_console({"x": 1, "seen": seen}, "hello")
    shown = capsys.readouterr().out
    assert (seen, lines) == ([2], ["never"])
    assert "hello" in shown
    assert "ZeroDivisionError" in shown
    assert "Leave" not in shown


def test_knows_when_nobody_can_type(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert not has_terminal()


def test_is_open_until_it_is_left(typed):
    seen = []
    typed("seen.append(is_open())", "go()")
    open_console({"seen": seen, "is_open": is_open}, "")
    assert (seen, is_open()) == ([True], False)
