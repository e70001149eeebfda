"""Judging a run that stetho itself watches: now and then while it runs, and once when it is over.

Nothing here may disturb the program: an error of ours becomes one line, and judging stops when it grows expensive.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stetho.config import Options
from stetho.errors import RunError, StethoError
from stetho.records import Interrupted, Voice

if TYPE_CHECKING:
    from stetho.findings.finding import Finding
    from stetho.findings.verdict import Verdict
    from stetho.store.reader import Run

FIRST_LOOKS = (20, 50, 100)
CERTAIN = 0.95
LONGEST_SECONDS = 2.0
FREE_SECONDS = 2.0
JUDGING_SHARE = 0.2
"""Part of the budget that looking at the run while it runs may use; watching it has the rest."""
FIRST_SECONDS = 0.3
SECONDS_PER_ROW = 2e-6
"""What judging costs, and reading a row of stats, at the most; only the first look is estimated from it."""


def next_look(step: int) -> int:
    """The step at which a run is judged next: 20, 50, 100, 200, 400, …

    >>> [next_look(step) for step in (0, 20, 99, 100, 250)]
    [20, 50, 100, 200, 400]
    """
    for first in FIRST_LOOKS:
        if step < first:
            return first
    look = FIRST_LOOKS[-1]
    while look <= step:
        look *= 2
    return look


class LiveJudge:
    """Looks at the run on disk at few chosen steps, and says once what is certain and bad."""

    def __init__(self, options: Options, voice: Voice) -> None:
        self.seconds = 0.0
        self._options = options
        self._voice = voice
        self._began = time.perf_counter()
        self._due = next_look(0)
        self._told: set[tuple[str, str]] = set()
        self._last: tuple[float, int] | None = None
        self._is_prepared = False
        self._is_over = False

    def look(self, path: Path, step: int, is_wanted: Callable[[], bool] = lambda: True) -> None:
        """Judge if it is time; called from the background thread. What goes wrong ends the looking, nothing else."""
        if self._is_over or (self._is_prepared and step < self._due):
            return
        started = time.perf_counter()
        try:
            if not self._is_prepared:
                self._prepare()
            if step >= self._due:
                self._judge(path, step, is_wanted)
                self._due = next_look(step)
        except (Interrupted, RunError):
            # A run that is being written can be caught at a bad moment; the next one is a second away.
            pass
        except Exception as error:
            self._is_over = True
            kind = "" if isinstance(error, StethoError) else f"{type(error).__name__}: "
            self._voice.say(f"nothing will be diagnosed while the program runs: {kind}{error}")
        finally:
            self.seconds += time.perf_counter() - started

    def _prepare(self) -> None:
        """Load the checks before they are needed: a mistake in the settings is told early, and not after days."""
        from stetho.checks.loading import load_checks
        from stetho.checks.settings import Settings, chosen_checks

        self._is_prepared = True
        settings = Settings.of(self._options)
        chosen_checks(load_checks(settings.files), settings)

    def _judge(self, path: Path, step: int, is_wanted: Callable[[], bool]) -> None:
        from stetho.checks.settings import Settings
        from stetho.engine import judge
        from stetho.store.reader import Run

        run = Run(path)
        expected = self._expected(run, step)
        if expected > LONGEST_SECONDS:
            # It will only grow.
            self._is_over = True
            return
        free = min(FREE_SECONDS, self._options.grace_seconds)
        allowed = JUDGING_SHARE * self._options.budget * (time.perf_counter() - self._began)
        if self.seconds + expected > free + allowed:
            return
        started = time.perf_counter()
        verdict = judge(run, Settings.of(self._options), is_wanted)
        self._last = (time.perf_counter() - started, step)
        self._tell(path, self._worth_telling(verdict), step)

    def _worth_telling(self, verdict: Verdict) -> list[Finding]:
        """Causes that are certain and bad, and whatever the program is to be stopped for."""
        certain = [each for each in verdict.findings if is_certain(each)]
        everything = [each for cause in verdict.findings for each in (cause, *cause.symptoms)]
        return certain + [each for each in everything if each.check in self._options.break_at and each not in certain]

    def _expected(self, run: Run, step: int) -> float:
        if self._last is not None:
            seconds, before = self._last
            return seconds * step / before
        return FIRST_SECONDS + SECONDS_PER_ROW * sum(int(batch.num_rows) for batch in run.rows("stats").batches())

    def _tell(self, path: Path, findings: list[Finding], step: int) -> None:
        from stetho.views.diagnosis import live_line

        new = [each for each in findings if (each.check, str(each.where)) not in self._told]
        self._told |= {(each.check, str(each.where)) for each in new}
        _record(path, new, step=step, is_final=False)
        for finding in new if not self._options.quiet else ():
            self._voice.say(live_line(finding))


def is_certain(finding: Finding) -> bool:
    """Whether a finding is worth interrupting for."""
    return finding.severity == "error" and finding.confidence >= CERTAIN


def judge_finished(path: Path, options: Options) -> Verdict:
    """The verdict on a run that is over, written into the run and into the file that the user wants."""
    from stetho.checks.settings import Settings
    from stetho.engine import judge
    from stetho.store.reader import Run
    from stetho.views.diagnosis_json import write_diagnosis

    run = Run(path)
    verdict = judge(run, Settings.of(options))
    _record(path, verdict.findings, step=run.table("steps").num_rows, is_final=True)
    if options.json_file is not None:
        write_diagnosis(verdict, path, options.json_file)
    return verdict


def _record(path: Path, findings: Sequence[Finding], *, step: int, is_final: bool) -> None:
    from stetho.findings.document import finding_document
    from stetho.store.finding_lines import append_findings

    append_findings(path, [{"step": step, "is_final": is_final, **finding_document(each)} for each in findings])
