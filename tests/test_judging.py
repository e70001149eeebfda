"""Judging a run while it runs: at few steps, once for each finding, and never at the program's cost."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stetho import engine, judging
from stetho.config import Options, make_options
from stetho.errors import UsageError
from stetho.findings.finding import Finding, Severity, Where
from stetho.findings.verdict import Verdict
from stetho.judging import LiveJudge, judge_finished, next_look
from stetho.records import Interrupted
from stetho.store.writer import RunWriter


class Voice:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)


def finding(check: str = "graph-cut", severity: Severity = "error", confidence: float = 0.99, line: int = 3) -> Finding:
    return Finding(check, severity, confidence, f"{check} is there", Where(file="/elsewhere/train.py", line=line))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    writer = RunWriter.create(tmp_path, "train", {})
    writer.append("steps", {"step": 1})
    writer.flush()
    return writer.path


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    """What the engine finds."""
    findings: list[Finding] = []

    def judge(_run: Any, _settings: Any = None, is_wanted: Callable[[], bool] = lambda: True) -> Verdict:
        if not is_wanted():
            raise Interrupted("somebody waits")
        return Verdict(tuple(findings))

    monkeypatch.setattr(engine, "judge", judge)
    return findings


def judge_for(voice: Voice, **options: Any) -> LiveJudge:
    return LiveJudge(make_options(**options) if options else Options(), voice)


def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    asked: list[int] = []
    monkeypatch.setattr(LiveJudge, "_judge", lambda _, __, step, ___: asked.append(step))
    return asked


def test_the_steps_grow_further_apart() -> None:
    steps, step = [], 0
    while step < 3000:
        step = next_look(step)
        steps.append(step)
    assert steps == [20, 50, 100, 200, 400, 800, 1600, 3200]


def test_looks_when_a_step_is_reached_or_passed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = looks(monkeypatch)
    judge = judge_for(Voice())
    for step in (0, 5, 19, 23, 24, 49, 70, 99, 130, 150, 900, 901):
        judge.look(path, step)
    assert asked == [23, 70, 130, 900]


def test_says_what_is_certain_and_bad_once(path: Path, found: list[Finding]) -> None:
    voice = Voice()
    judge = judge_for(voice)
    found += [finding(), finding("loss-plateau", "warning"), finding("dead-relu", confidence=0.9)]
    judge.look(path, 20)
    found.append(finding("step-missing"))
    judge.look(path, 50)
    judge.look(path, 100)
    assert voice.lines == [
        "error · graph-cut is there · /elsewhere/train.py:3 · graph-cut",
        "error · step-missing is there · /elsewhere/train.py:3 · step-missing",
    ]
    recorded = [json.loads(line) for line in (path / "findings.jsonl").read_text().splitlines()]
    assert [(each["check"], each["step"], each["is_final"]) for each in recorded] == [
        ("graph-cut", 20, False),
        ("step-missing", 50, False),
    ]


def test_says_whatever_the_program_is_to_be_stopped_for(path: Path, found: list[Finding]) -> None:
    voice = Voice()
    symptom = finding("loss-plateau", "warning", confidence=0.5)
    found += [replace(finding("dead-relu", "warning"), symptoms=(symptom,)), finding("overfitting", "note")]
    judge_for(voice, break_at=["loss-plateau", "step == 3"]).look(path, 20)
    assert [line.rpartition(" ")[2] for line in voice.lines] == ["loss-plateau"]


def test_the_same_check_elsewhere_is_something_new(path: Path, found: list[Finding]) -> None:
    voice = Voice()
    judge = judge_for(voice)
    found += [finding(line=3), finding(line=4)]
    judge.look(path, 20)
    assert len(voice.lines) == 2


def test_quiet_records_and_says_nothing(path: Path, found: list[Finding]) -> None:
    voice = Voice()
    found.append(finding())
    judge_for(voice, quiet=True).look(path, 20)
    assert voice.lines == []
    assert (path / "findings.jsonl").exists()


def test_counts_what_it_costs(path: Path, found: list[Finding]) -> None:
    judge = judge_for(Voice())
    judge.look(path, 20)
    assert found == []
    assert judge.seconds > 0


def test_a_mistake_in_the_settings_is_told_before_the_first_look(path: Path) -> None:
    voice = Voice()
    judge = judge_for(voice, select="graph-cutt")
    judge.look(path, 1)
    judge.look(path, 50)
    assert len(voice.lines) == 1
    assert "unknown check `graph-cutt`" in voice.lines[0]


def test_an_error_of_ours_ends_the_looking_and_nothing_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Verdict:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(engine, "judge", broken)
    voice = Voice()
    judge = judge_for(voice)
    judge.look(path, 20)
    judge.look(path, 50)
    assert voice.lines == ["nothing will be diagnosed while the program runs: ZeroDivisionError: oh"]


def test_gives_way_when_somebody_waits_and_tries_again(path: Path, found: list[Finding]) -> None:
    voice = Voice()
    judge = judge_for(voice)
    found.append(finding())
    judge.look(path, 20, lambda: False)
    assert voice.lines == []
    judge.look(path, 21)
    assert len(voice.lines) == 1


def test_a_run_that_is_not_there_yet_is_looked_at_again(tmp_path: Path, path: Path, found: list[Finding]) -> None:
    voice = Voice()
    judge = judge_for(voice)
    found.append(finding())
    judge.look(tmp_path / "gone", 20)
    judge.look(path, 21)
    assert len(voice.lines) == 1


def test_stops_when_it_would_take_too_long(path: Path, found: list[Finding], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "LONGEST_SECONDS", 1e-9)
    monkeypatch.setattr(judging, "SECONDS_PER_ROW", 0.0)
    voice = Voice()
    judge = judge_for(voice)
    judge.look(path, 20)
    found.append(finding())
    judge.look(path, 50)
    judge.look(path, 100)
    assert voice.lines == []


def test_leaves_out_a_look_that_the_budget_does_not_allow(
    path: Path, found: list[Finding], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "FREE_SECONDS", -1000.0)
    voice = Voice()
    found.append(finding())
    judge_for(voice).look(path, 20)
    assert voice.lines == []


def test_the_end_is_judged_and_recorded(path: Path, found: list[Finding]) -> None:
    found += [finding(), finding("loss-plateau", "note")]
    verdict = judge_finished(path, Options())
    assert len(verdict.findings) == 2
    recorded = [json.loads(line) for line in (path / "findings.jsonl").read_text().splitlines()]
    assert [(each["check"], each["step"], each["is_final"]) for each in recorded] == [
        ("graph-cut", 1, True),
        ("loss-plateau", 1, True),
    ]


def test_a_mistake_in_the_settings_at_the_end_is_the_callers(path: Path) -> None:
    with pytest.raises(UsageError, match="unknown check"):
        judge_finished(path, make_options(ignore="nothing-of-ours"))
