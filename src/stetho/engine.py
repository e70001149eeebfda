"""The engine: a recorded run in, a verdict out. It is the same for a run that is still being written."""

from collections.abc import Callable, Sequence

import numpy as np

from stetho.capture.unnoticed import without_warnings
from stetho.checks.declare import Check, Skip
from stetho.checks.loading import load_checks
from stetho.checks.run.reading import read_window
from stetho.checks.settings import Chosen, Settings, chosen_checks
from stetho.checks.window import Window
from stetho.findings.finding import Finding
from stetho.findings.linking import linked
from stetho.findings.ranking import ranked
from stetho.findings.suppression import Silence
from stetho.findings.verdict import Skipped, Verdict
from stetho.records import Interrupted
from stetho.store import loose
from stetho.store.reader import Run

NOT_OVER = "the program is still running"
NOT_SEEN = "watching ended before the program did"


def judge(run: Run, settings: Settings | None = None, is_wanted: Callable[[], bool] = lambda: True) -> Verdict:
    """Have every check look at a run; UsageError when the settings or a check of the user's own mean nothing.

    `is_wanted` is asked before each check: once it says no, the rest is left out by raising `Interrupted`.
    """
    settings = settings or Settings()
    return judge_window(read_window(run), load_checks(settings.files), settings, is_wanted)


def judge_window(
    window: Window,
    checks: Sequence[Check],
    settings: Settings | None = None,
    is_wanted: Callable[[], bool] = lambda: True,
) -> Verdict:
    """Have these checks look at a window.

    >>> from stetho.testing import make_window
    >>> judge_window(make_window(), []).findings
    ()
    """
    found: list[Finding] = []
    skipped: list[Skipped] = []
    clear: list[str] = []
    silence = Silence()
    for check, options in chosen_checks(checks, settings or Settings()):
        if not is_wanted():
            raise Interrupted("somebody waits")
        outcome = _look(window, (check, options))
        if isinstance(outcome, Skipped):
            skipped.append(outcome)
        elif heard := [finding for finding in outcome if not silence.covers(finding)]:
            found += heard
        elif outcome:
            skipped.append(Skipped(check.name, f"silenced by a comment at {outcome[0].where.place}"))
        else:
            clear.append(check.name)
    roots = ranked(linked(found), _symptom_checks(checks))
    ended = loose.mapping(window.info.get("exit"))
    return Verdict(tuple(roots), tuple(skipped), tuple(clear), after_error=ended.get("kind") == "exception")


def _look(window: Window, chosen: Chosen) -> list[Finding] | Skipped:
    check, options = chosen
    if check.needs_end and (window.is_running or window.info.get("capture_error")):
        return Skipped(check.name, NOT_OVER if window.is_running else NOT_SEEN)
    try:
        # What numpy thinks of a training that is NaN from its first step on is nothing that a user asked for.
        with np.errstate(all="ignore"), without_warnings():
            return check.judge(window, options)
    except Skip as reason:
        return Skipped(check.name, str(reason) or "it cannot judge this run")
    except Exception as error:
        return Skipped(check.name, f"failed: {type(error).__name__}: {error}")


def _symptom_checks(checks: Sequence[Check]) -> set[str]:
    """The checks that others explain and that explain nothing themselves."""
    explained = {name for check in checks for name in check.explains}
    return explained - {check.name for check in checks if check.explains}
