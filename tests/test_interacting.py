"""`stetho.shell()`."""

import stetho
from stetho import interacting as shells


def test_opens_with_the_variables_of_the_caller(monkeypatch):
    opened = []
    monkeypatch.setattr(shells, "has_terminal", lambda: True)
    monkeypatch.setattr(shells, "open_console", lambda names, banner: opened.append((names, banner)))
    mine = 3
    stetho.shell()
    ((names, banner),) = opened
    assert names["mine"] == mine
    assert "test_interacting.py" in banner


def test_says_where_nobody_could_type(capsys):
    stetho.shell()
    assert "no shell at" in capsys.readouterr().err
