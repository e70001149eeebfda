"""Own checks come from files and packages, are held to the same rules, and a name belongs to one check."""

from importlib import metadata
from pathlib import Path

import pytest

from stetho.checks import CATALOG, loading
from stetho.checks.loading import load_checks
from stetho.errors import UsageError

GOOD = '''
from stetho.checks.declare import check, Skip
from stetho.checks.loop.graph_cut import graph_cut

@check(severity="warning")
def {name}(window):
    """A start that is cold.

    ## What it finds
    It.
    ## Why it matters
    So.
    ## What to try
    This.
    ## When it is wrong
    Never.
    """
'''


@pytest.fixture
def write(tmp_path: Path):
    def write_file(content: str, name: str = "own.py") -> str:
        (tmp_path / name).write_text(content)
        return str(tmp_path / name)

    return write_file


def entry_points(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    found = [metadata.EntryPoint("mine", value, "stetho.checks")]
    monkeypatch.setattr(loading.metadata, "entry_points", lambda group: found if group == "stetho.checks" else [])


def test_the_catalogue_is_always_there() -> None:
    assert load_checks()[: len(CATALOG)] == CATALOG


def test_a_file_adds_the_checks_that_it_defines(write) -> None:
    added = load_checks([write(GOOD.format(name="cold_start"))])[len(CATALOG) :]
    assert [check.name for check in added] == ["cold-start"]


def test_several_files_may_have_one_name(write, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    files = [write(GOOD.format(name="cold_start")), write(GOOD.format(name="warm_end"), "more/own.py")]
    assert [check.name for check in load_checks(files)[len(CATALOG) :]] == ["cold-start", "warm-end"]


def test_a_doubled_name_names_both_owners(write) -> None:
    with pytest.raises(
        UsageError, match=r"called `graph-cut`.*stetho\.checks\.loop\.graph_cut:.* and stetho_checks_own"
    ):
        load_checks(
            [write(GOOD.format(name="graph_cut").replace("from stetho.checks.loop.graph_cut import graph_cut", ""))]
        )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x = 1", "there is no check"),
        ("import nowhere_at_all", "cannot be loaded .ModuleNotFoundError"),
        ("def broken(:", "cannot be loaded .SyntaxError"),
        (GOOD.format(name="bad_luck"), "`bad-luck` cannot be used: name `bad-luck` begins with"),
        (GOOD.format(name="luck").replace("## What to try", ""), "nothing under the heading `## What to try`"),
    ],
)
def test_a_file_that_is_wrong_is_a_usage_error(write, content: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_checks([write(content)])


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file with checks"):
        load_checks([str(tmp_path / "gone.py")])
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(UsageError, match="not a Python file"):
        load_checks([str(tmp_path / "notes.txt")])


def test_a_package_adds_its_checks(write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(GOOD.format(name="cold_start") + "\nCHECKS = [cold_start]", "package_of_checks.py")
    monkeypatch.syspath_prepend(tmp_path)
    for value in ("package_of_checks:cold_start", "package_of_checks:CHECKS"):
        entry_points(monkeypatch, value)
        assert load_checks()[-1].name == "cold-start"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("nowhere_at_all:x", "entry point `mine` cannot be loaded"),
        ("math:pi", "is a float; it should be a check or a list of checks"),
        ("string:ascii_letters", "holds a str; it should hold checks"),
    ],
)
def test_a_package_that_is_wrong_is_a_usage_error(monkeypatch: pytest.MonkeyPatch, value: str, message: str) -> None:
    entry_points(monkeypatch, value)
    with pytest.raises(UsageError, match=message):
        load_checks()
