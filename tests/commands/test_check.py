"""`stetho check`: a recorded run is judged again, by the checks of now."""

import json
from pathlib import Path
from typing import Any

import pytest

Stetho = Any

OWN = '''
from stetho.checks.declare import check

@check(severity="warning")
def own_fault(window, *, least: int = 1):
    """Every run.

    ## What it finds
    Runs of at least `least` steps.
    ## Why it matters
    So.
    ## What to try
    This.
    ## When it is wrong
    Never.
    """
    return window.finding(f"there are {window.count} steps") if window.count >= least else None
'''


@pytest.fixture
def own(tmp_path: Path) -> list[str]:
    (tmp_path / "own.py").write_text(OWN)
    return ["--checks", "own.py", "--select", "own-fault"]


def test_judges_the_latest_run_on_the_standard_output(stetho: Stetho, recorded: Path, own: list[str]) -> None:
    done = stetho("check", *own)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("diagnosis · 1 warning · 0 checks clear\n\n  warning there are 2 steps\n")
    assert not (recorded / "findings.jsonl").exists()


def test_judges_with_the_whole_catalogue(stetho: Stetho, recorded: Path) -> None:
    done = stetho("check", str(recorded))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("diagnosis · ")
    assert "failed: " not in done.stdout


@pytest.mark.parametrize("words", [("check",), ("show", "--layers"), ("export", "--to", "csv")])
def test_a_run_whose_names_are_cut_off_is_refused(words: tuple[str, ...], stetho: Stetho, recorded: Path) -> None:
    names = recorded / "series.jsonl"
    names.write_bytes(names.read_bytes()[:30])
    done = stetho(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "rows of series that series.jsonl does not define; copy the run again\n" in done.stderr


def test_json_goes_to_a_file_or_alone_to_the_standard_output(
    stetho: Stetho, recorded: Path, own: list[str], tmp_path: Path
) -> None:
    both = stetho("check", *own, "--json", "out.json")
    assert both.stdout.startswith("diagnosis")
    alone = stetho("check", *own, "--json", "-")
    document = json.loads(alone.stdout)
    assert document == json.loads((tmp_path / "out.json").read_text())
    assert Path(document["run"]).name == recorded.name


@pytest.mark.usefixtures("recorded")
def test_findings_set_the_exit_status_when_asked_to(stetho: Stetho, own: list[str]) -> None:
    assert stetho("check", *own, "--fail-on", "warning").returncode == 3
    assert stetho("check", *own, "--fail-on", "error").returncode == 0


@pytest.mark.usefixtures("recorded")
def test_options_of_now_decide(stetho: Stetho, own: list[str], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.stetho.checks.own-fault]\nleast = 3\n")
    assert stetho("check", *own).stdout == "diagnosis · nothing wrong · 1 check clear\n"


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--select", "own-falt"], "unknown check `own-falt`"),
        (["--checks", "gone.py"], "no such file with checks"),
        (["--fail-on", "note"], "`--fail-on` (='note') must be one of: error, warning"),
        (["nowhere"], "nowhere: no such folder"),
    ],
)
def test_what_means_nothing_is_a_usage_error(stetho: Stetho, words: list[str], message: str) -> None:
    done = stetho("check", *words)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.usefixtures("recorded")
def test_an_unknown_option_of_a_check_lists_the_known_ones(stetho: Stetho, own: list[str], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.stetho.checks.own-fault]\nleats = 3\n")
    done = stetho("check", *own)
    assert done.returncode == 2
    assert "unknown option `leats`, did you mean `least`? Known: least; in the table" in done.stderr
