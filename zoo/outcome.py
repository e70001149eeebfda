"""What stetho said of one program."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zoo.programs import Program
from zoo.warm import TOO_LONG, run_in_fork

LONGEST_SECONDS = 300
ARGUMENTS: Mapping[str, tuple[str, ...]] = {"reads_stdin_and_argv": ("--lr", "0.05")}
INPUTS: Mapping[str, str] = {"reads_stdin_and_argv": "3 1 4 1 5 9 2 6 5 3 5 8 9 7 9\n"}
LAUNCHERS: Mapping[str, tuple[str, ...]] = {"ddp": ("-m", "torch.distributed.run", "--nproc-per-node", "2")}
COLD = {*ARGUMENTS, *LAUNCHERS, "spawns", "no_training", "torch_but_no_training"}
"""Programs whose start matters to what they do."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A finding that is an error or a warning; `folded` if it is a symptom of another one."""

    check: str
    title: str
    file: str | None
    line: int | None
    folded: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The alarms of one program, in the order in which a user reads them."""

    program: Program
    alarms: tuple[Alarm, ...]
    problem: str | None = None

    @property
    def roots(self) -> list[Alarm]:
        return [alarm for alarm in self.alarms if not alarm.folded]

    @property
    def is_first(self) -> bool:
        """Whether the first thing a user reads is right."""
        return bool(self.roots) and self.program.is_right(self.roots[0].check)

    @property
    def is_found(self) -> bool:
        """Whether the fault is named at all."""
        return any(self.program.is_right(alarm.check) for alarm in self.alarms)

    @property
    def is_at_line(self) -> bool | None:
        """Whether the first finding points at the line of the fault; None where it is wrong or points at none."""
        if not self.is_first or not self.program.lines or self.roots[0].line is None:
            return None
        return self.roots[0].line in self.program.lines and self.roots[0].file == str(self.program.path)


def diagnose(program: Program) -> Outcome:
    """Run a program under stetho in a folder of its own and read what was found."""
    with tempfile.TemporaryDirectory(prefix="zoo-") as scratch:
        folder = Path(scratch)
        words = ["run", "-q", "--json", "verdict.json", str(program.path), *ARGUMENTS.get(program.name, ())]
        is_cold = program.name in COLD or "torch" not in sys.modules
        status = _run_cold(program, words, folder) if is_cold else run_in_fork(words, folder, LONGEST_SECONDS)
        if status == TOO_LONG:
            return Outcome(program, (), f"not over after {LONGEST_SECONDS} s")
        verdict = folder / "verdict.json"
        if not verdict.exists():
            return Outcome(program, (), _no_verdict(program, (folder / "said").read_text(errors="replace")))
        content = json.loads(verdict.read_text(encoding="utf-8"))
    failed = [each for each in content["skipped"] if each["reason"].startswith("failed: ")]
    return Outcome(program, tuple(_alarms(content["findings"], folded=False)), str(failed) if failed else None)


def _run_cold(program: Program, words: Sequence[str], folder: Path) -> int:
    """Start a program as a user does."""
    try:
        with (folder / "said").open("w") as said:
            return subprocess.run(
                [sys.executable, *LAUNCHERS.get(program.name, ()), "-m", "stetho", *words],
                cwd=folder,
                input=INPUTS.get(program.name, ""),
                stdout=said,
                stderr=said,
                text=True,
                timeout=LONGEST_SECONDS,
                env=os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
            ).returncode
    except subprocess.TimeoutExpired:
        return TOO_LONG


def _alarms(findings: list[dict[str, Any]], *, folded: bool) -> list[Alarm]:
    found = []
    for each in findings:
        if each["severity"] in ("error", "warning"):
            where = each["where"]
            found.append(Alarm(each["check"], each["title"], where["file"], where["line"], folded))
        found.extend(_alarms(each["symptoms"], folded=True))
    return found


def _no_verdict(program: Program, errors: str) -> str | None:
    # A healthy program may train nothing, or end without letting anybody say a word.
    if program.fault is None:
        return None
    return "no verdict: " + (errors.strip().splitlines() or ["nothing was said"])[-1]
