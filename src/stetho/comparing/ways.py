"""One program run in two ways, in two processes: as it is, and compiled, in another type, on a device, or again."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from stetho.capture.launch import Program
from stetho.comparing.compile_log import LOGGED, compile_events
from stetho.comparing.last_words import death_of, last_words
from stetho.comparing.runs.closely import look_closely
from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.curve import TOLERANCE
from stetho.comparing.runs.result import RunComparison
from stetho.errors import StethoError
from stetho.store.reader import Run, list_runs

TWICE = "twice"
STEPS = 10
ASKED_FOR = ("variant", "eager", "compiled", "dtype")
"""Facts that differ because they were to."""
Say = Callable[[str], None]


class ProgramFailed(StethoError):
    """A program that is to be compared did not come to a step."""


def compare_ways(
    program: Program, way: str, *, steps: int = STEPS, tolerance: float = TOLERANCE, say: Say = lambda _: None
) -> RunComparison:
    """Run a program as it is and in another way (or twice the same), both from the same seeds, and compare the runs."""
    is_compiled = way.startswith("compiled")
    with tempfile.TemporaryDirectory(prefix="stetho-compare-") as scratch:
        out = Path(scratch)
        say("as it is …")
        plain, _ = record(program, out / "plain", ["--eager"] if is_compiled else [], steps)
        say("again …" if way == TWICE else f"{way} …")
        other, log = record(
            program, out / "other", [] if way == TWICE else ["--as", way], steps, LOGGED if is_compiled else {}
        )
        found = compare_runs(plain, other, tolerance=tolerance)
        if not found.is_equal:
            say("a closer look …")
            found = _closer(found, program, way, (plain, other), out / "closer", steps)
        names = ("as it is", "again") if way == TWICE else ("as it is", way)
        facts = [fact for fact in found.facts if fact.name not in ASKED_FOR]
        found = found.with_notes(*failures((plain, other)))
        return replace(found, names=names, facts=facts, compilation=compile_events(log))


def _closer(
    found: RunComparison, program: Program, way: str, runs: tuple[Run, Run], out: Path, steps: int
) -> RunComparison:
    """What more can be said of a difference: single operations, or the part of the model that the compiler changes."""
    if not way.startswith("compiled"):
        return look_closely(found, *runs)
    try:
        # Inside of what is compiled as a whole nothing can be seen: part by part, it can.
        parts, _ = record(program, out, ["--as", way.replace("compiled", "compiled-parts", 1)], steps)
    except ProgramFailed:
        return found
    by_part = compare_runs(runs[0], parts, tolerance=found.curve.tolerance)
    if by_part.first_difference is None or by_part.first_difference.stage != "act":
        return found.with_notes(
            "compiled part by part, the model gives the same: the difference is in how they are joined"
        )
    return replace(by_part, facts=found.facts, curve=found.curve).with_notes(
        "the place was found with each part of the model compiled by itself"
    )


def record(
    program: Program,
    out: Path,
    options: Sequence[str],
    steps: int,
    variables: Mapping[str, str] = {},
    *,
    folder: Path | None = None,
) -> tuple[Run, str]:
    """Run a program under watch in a process of its own; gives its run, and what it wrote to its standard error.

    It is started in this folder, or in `folder`.
    """
    wanted = ["--quiet", "--deterministic", "--every", "1", "--steps", str(steps), "--out", str(out), *options]
    done = subprocess.run(
        [sys.executable, "-m", "stetho", "run", *wanted, *program.words],
        env=_environment() | dict(variables),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    log = done.stderr.decode(errors="replace")
    runs = list_runs(out) if out.is_dir() else []
    called = f"`{' '.join(program.words)}`"
    how = f" with {' '.join(options)}" if options else ""
    death = death_of(done.returncode, log)
    if death is not None:
        raise ProgramFailed(f"{called} was not done{how}: {death}")
    if not runs or not runs[-1].info.get("steps"):
        raise ProgramFailed(f"{called} came to no step{how}; its last words: {last_words(log)}")
    return runs[-1], log


def _environment() -> dict[str, str]:
    """The variables of this process for another one, which may be started in another folder."""
    found = {name: value for name, value in os.environ.items() if name != "STETHO"}
    if found.get("PYTHONPATH"):
        found["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, found["PYTHONPATH"].split(os.pathsep)))
    return found


def failures(runs: Sequence[Run]) -> Iterator[str]:
    """What is to be said of runs that ended with an error, after some steps."""
    for side, run in zip(("first", "second"), runs, strict=True):
        ended = run.info.get("exit") or {}
        if ended.get("kind") == "exception":
            steps = f"step {run.info.get('steps')}"
            yield f"the {side} failed after {steps}, and is compared up to there: {ended.get('error')}"
