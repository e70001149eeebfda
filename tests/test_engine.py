"""The engine: three outcomes for each check, causes first, and the same verdict from memory and from disk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stetho.checks.declare import Check, Skip, check
from stetho.checks.settings import Settings
from stetho.checks.window import Window
from stetho.engine import judge, judge_window
from stetho.errors import UsageError
from stetho.records import Interrupted
from stetho.store.reader import Run
from stetho.store.writer import RunWriter
from stetho.testing import make_window


def made(name: str, look: Callable[[Window], Any], **declared: Any) -> Check:
    def function(window: Window) -> Any:
        return look(window)

    function.__name__ = name.replace("-", "_")
    return check(**{"severity": "warning", **declared})(function)


def raising(error: Exception) -> Callable[[Window], Any]:
    def look(_: Window) -> Any:
        raise error

    return look


FOUND = made("graph-cut", lambda window: window.finding("no gradient", where="train.py:2"), explains=("loss-plateau",))
SYMPTOM = made("loss-plateau", lambda window: window.finding("the loss is 2.3", confidence=1.0))
CLEAR = made("all-well", lambda _: None)


def test_three_outcomes() -> None:
    skipping = made("no-data", raising(Skip("no eval pass was recorded")))
    verdict = judge_window(make_window(), [FOUND, CLEAR, skipping])
    assert [finding.check for finding in verdict.findings] == ["graph-cut"]
    assert verdict.clear == ("all-well",)
    assert [(each.check, each.reason) for each in verdict.skipped] == [("no-data", "no eval pass was recorded")]


def test_a_check_that_fails_is_skipped_with_the_reason() -> None:
    verdict = judge_window(make_window(), [made("broken", raising(ZeroDivisionError("division by zero"))), CLEAR])
    assert verdict.skipped[0].reason == "failed: ZeroDivisionError: division by zero"
    assert verdict.clear == ("all-well",)


def test_symptoms_go_under_their_cause() -> None:
    verdict = judge_window(make_window(), [SYMPTOM, FOUND])
    assert [finding.check for finding in verdict.findings] == ["graph-cut"]
    assert [finding.check for finding in verdict.findings[0].symptoms] == ["loss-plateau"]


def test_a_symptom_without_its_cause_comes_after_other_causes() -> None:
    cause = made("frozen", lambda window: window.finding("nothing moves", confidence=0.2), explains=("other",))
    never = made("never-there", lambda _: None, explains=("loss-plateau",))
    verdict = judge_window(make_window(), [SYMPTOM, cause, never])
    assert [finding.check for finding in verdict.findings] == ["frozen", "loss-plateau"]


def test_a_verdict_knows_whether_the_program_ended_by_an_error() -> None:
    failed = make_window(info={"name": "test", "exit": {"kind": "exception", "code": 1}})
    assert judge_window(failed, [CLEAR]).after_error
    assert not judge_window(make_window(), [CLEAR]).after_error


def test_a_check_may_find_several_things() -> None:
    several = made("dead-relu", lambda window: [window.finding("one"), window.finding("two")])
    assert len(judge_window(make_window(), [several]).findings) == 2


def test_a_comment_silences_a_finding(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("a()\nloss.backward()  # stetho: ignore[graph-cut]\n")
    place = f"{tmp_path / 'train.py'}:2"
    silenced = made("graph-cut", lambda window: window.finding("no gradient", where=place), explains=("loss-plateau",))
    verdict = judge_window(make_window(), [silenced, SYMPTOM])
    assert [finding.check for finding in verdict.findings] == ["loss-plateau"]
    assert verdict.skipped[0].reason == f"silenced by a comment at {place}"


def test_settings_choose_and_set() -> None:
    @check(severity="note")
    def long_run(window: Window, *, steps: int = 10) -> Any:
        """Long."""
        return window.finding(f"{window.count} steps") if window.count > steps else None

    assert judge_window(make_window(), [long_run]).findings
    assert judge_window(make_window(), [long_run], Settings(options={"long-run": {"steps": 100}})).clear
    assert judge_window(make_window(), [long_run, CLEAR], Settings(ignore=("long-run",))).clear == ("all-well",)


def test_a_check_that_needs_the_end_waits_for_it() -> None:
    waiting = made("stopped-early", lambda window: window.finding("it stopped"), needs_end=True)
    assert judge_window(make_window(is_running=True), [waiting]).skipped[0].reason == "the program is still running"
    assert judge_window(make_window(), [waiting]).findings
    cut = judge_window(make_window(info={"capture_error": "Traceback"}), [waiting])
    assert cut.skipped[0].reason == "watching ended before the program did"


def test_warnings_of_arithmetic_are_not_shown() -> None:
    dividing = made("odd-division", lambda window: [][: int((window.steps["loss"] / 0.0).any())])
    assert judge_window(make_window(), [dividing]).clear == ("odd-division",)


def test_warnings_of_numpy_about_a_run_without_numbers_are_not_shown() -> None:
    empty = made("empty", lambda _: None if np.isnan(np.nanmedian([np.nan, np.nan])) else raising(ValueError())(_))
    assert judge_window(make_window(), [empty]).clear == ("empty",)


def test_work_that_nobody_wants_is_left() -> None:
    with pytest.raises(Interrupted):
        judge_window(make_window(), [CLEAR], is_wanted=lambda: False)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    writer = RunWriter.create(tmp_path / "runs", "train", {})
    for step in range(1, 31):
        writer.append("steps", {"step": step, "loss": 1.0})
    writer.close({})
    return Run(writer.path)


OWN = '''
from stetho.checks.declare import check

@check(severity="error")
def own_fault(window):
    """Every run.

    ## What it finds
    It.
    ## Why it matters
    So.
    ## What to try
    This.
    ## When it is wrong
    Never.
    """
    return window.finding(f"there are {window.count} steps")
'''


def test_judges_a_recorded_run_with_own_checks(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    verdict = judge(run, Settings(select=("own-fault",), files=(str(tmp_path / "own.py"),)))
    assert [finding.title for finding in verdict.findings] == ["there are 30 steps"]


def test_judging_twice_says_the_same_and_changes_nothing(run: Run) -> None:
    before = sorted((path, path.stat().st_mtime_ns) for path in run.path.rglob("*"))
    assert repr(judge(run)) == repr(judge(Run(run.path)))
    assert sorted((path, path.stat().st_mtime_ns) for path in run.path.rglob("*")) == before


def test_settings_that_mean_nothing_are_an_error(run: Run) -> None:
    with pytest.raises(UsageError, match="unknown check `nothing-of-ours`"):
        judge(run, Settings(select=("nothing-of-ours",)))
