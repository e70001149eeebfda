"""`stetho explain`: the page of a check."""

from typing import Any

from stetho.checks import CATALOG
from stetho.checks.declare import HEADINGS

Stetho = Any


def test_prints_the_page(stetho: Stetho) -> None:
    done = stetho("explain", "graph-cut")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "graph-cut"
    assert [heading for heading in HEADINGS if heading in lines] == list(HEADINGS)


def test_without_a_name_all_are_listed(stetho: Stetho) -> None:
    assert len(stetho("explain").stdout.splitlines()) == len(CATALOG) + 1


def test_an_unknown_name_is_an_error_with_a_guess(stetho: Stetho) -> None:
    done = stetho("explain", "graph-cutt")
    assert done.returncode == 2
    assert done.stderr.startswith("stetho: unknown check `graph-cutt`, did you mean `graph-cut`?")
