"""Tests of the bar that shows progress."""

import io
import sys

from stetho.views.progress import progress_on_stderr


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_is_silent_where_nobody_looks(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_on_stderr("samples") as tell:
        tell(1, 10)
    assert stream.getvalue() == ""


def test_counts_on_a_terminal_with_and_without_a_total(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_on_stderr("samples") as tell:
        tell(3, None)
        tell(10, 10)
    assert "10/10" in stream.getvalue()
    assert "samples" in stream.getvalue()
