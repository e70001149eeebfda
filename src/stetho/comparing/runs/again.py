"""Runs the program of a recorded run again up to one step, with tensors and operations of that step written down."""

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from stetho.capture.launch import Program
from stetho.comparing.last_words import death_of
from stetho.errors import StethoError
from stetho.store.reader import Run, list_runs

LAST_LINES = 3


class NotRunAgain(StethoError):
    """A program could not be run again; the message says why."""


def run_again(run: Run, step: int, out: Path) -> Run:
    """Run the program of `run` again until `step` is over, and give what was recorded of it."""
    words, folder = list(run.info.get("command", [])), Path(str(run.info.get("cwd", ".")))
    check_program(run, words, folder)
    # `stetho trace` looks at every operation of the step, and --dump keeps the tensors of all its layers.
    wanted = ["--from-step", str(step), "--steps", "1", "--values", "--dump", f"*@{step}", "--out", str(out)]
    options = run.info.get("options", {})
    wanted += [f"--{name}" for name in ("deterministic", "eager") if options.get(name)]
    wanted += ["--as", str(options["variant"])] if options.get("variant") else []
    done = subprocess.run(
        [sys.executable, "-m", "stetho", "trace", *wanted, *words],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "STETHO"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    found = list_runs(out)
    if not found or int(found[-1].info.get("steps") or 0) < step:
        log = done.stderr.decode(errors="replace")
        why = death_of(done.returncode, log) or f"its last words: {' · '.join(log.strip().splitlines()[-LAST_LINES:])}"
        raise NotRunAgain(f"{run.name}: run again, the program did not come to step {step}; {why}")
    return found[-1]


def check_program(run: Run, words: list[str], folder: Path) -> None:
    """Complain about a program that is not there any more."""
    program = Program.from_words(words or ["(unknown)"])
    if not folder.is_dir() or not (program.is_module or (folder / program.target).exists()):
        raise NotRunAgain(f"{run.name}: its program is not there any more: {folder / program.target}")


def is_changed(run: Run) -> bool:
    """Whether the program's own file was written to after the run began."""
    words = list(run.info.get("command", []))
    file = Path(str(run.info.get("cwd", "."))) / (words[0] if words else "")
    try:
        return file.stat().st_mtime > datetime.fromisoformat(str(run.info["started"])).timestamp() + 1
    except (OSError, KeyError, ValueError):
        return False
