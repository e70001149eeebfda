"""`stetho verify`: proof that watching a program changes no bit of its training, and what it costs."""

import argparse
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from stetho.capture import identity
from stetho.capture.identity import Mark
from stetho.capture.launch import Program
from stetho.commands.parser import add_options, given_options
from stetho.commands.run import STATUS_OF_FINDINGS
from stetho.config import OPTIONS, Options, read_options

NAME = "verify"
HELP = "prove that watching changes no bit of a program's training, and measure what it costs"
TAKES_PROGRAM = True

STEPS = 100
ROUNDS = 2
OF_FINDINGS = ("select", "ignore", "preview", "check_files", "json_file", "fail_on")
"""Options of a run that have no bearing on training."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one process left behind: its fingerprint, its standard output and its exit status."""

    marks: Sequence[Mark]
    output: bytes
    status: int


def prepare(parser: argparse.ArgumentParser) -> None:
    """Declare the options of a watched run; the watched half gets them."""
    parser.usage = (
        "stetho verify [--steps N] [options of run] program.py [arguments…]\n"
        "       stetho verify [--steps N] [options of run] -m package.module [arguments…]"
    )
    parser.epilog = (
        f"The program is run {2 * ROUNDS} times, bare and watched in turn, for {STEPS} steps each\n"
        "unless --steps says otherwise. Exit status: 0 equal, 1 different."
    )
    add_options(parser, *(name for name in OPTIONS if name not in OF_FINDINGS))


def run(arguments: argparse.Namespace) -> int:
    """Run the program bare and watched in turn, and compare."""
    program = Program.from_words(arguments.program)
    program.check()
    given = given_options(arguments)
    options = read_options(given, start=Path.cwd())
    bare: list[Outcome] = []
    watched: list[Outcome] = []
    given_input = standard_input()
    with tempfile.TemporaryDirectory(prefix="stetho-verify-") as scratch:
        watched_words = ["-m", "stetho", "run", *words_of({"out": scratch, "quiet": True, **given}, without=("steps",))]
        for turn in range(ROUNDS):
            for kind, words, outcomes in (("bare", [], bare), ("watched", watched_words, watched)):
                folder = Path(scratch) / f"{kind}-{turn}"
                tell(f"{kind} run {turn + 1} of {ROUNDS} …")
                outcomes.append(execute([*words, *program.words], folder, options, given_input))
    tell("")
    lines, status = verdict(bare, watched, findings_count=options.fail_on is not None)
    print("\n".join(lines))
    return status


def execute(words: Sequence[str], folder: Path, options: Options, given_input: bytes | None) -> Outcome:
    """Run python with these words to the end, with the fingerprint harness in it."""
    from stetho.capture.torch.fingerprint import environment

    folder.mkdir()
    file = folder / "fingerprint"
    variables = {name: value for name, value in os.environ.items() if name != "STETHO"}
    done = subprocess.run(
        [sys.executable, *words],
        env=variables | environment(folder, file, steps=options.steps or STEPS, deterministic=options.deterministic),
        input=given_input,
        stdin=subprocess.DEVNULL if given_input is None else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return Outcome(identity.read_fingerprint(file), done.stdout, done.returncode)


def verdict(
    bare: Sequence[Outcome], watched: Sequence[Outcome], *, findings_count: bool = False
) -> tuple[list[str], int]:
    """The lines to print and the exit status; `findings_count` if findings are wanted in the exit status of a run."""
    first = bare[0]
    steps = len(identity.steps_of(first.marks))
    if not steps:
        return [f"nothing to compare: the program did no training step (it ended with status {first.status})"], 1
    unseeded = set().union(*(identity.unseeded(first.marks, other.marks) for other in bare[1:]))
    for other in bare[1:]:
        difference = identity.first_difference(first.marks, other.marks, unseeded)
        if difference:
            return [
                f"not comparable: the bare program differs from itself {difference}",
                "something in it is random and not seeded, or not deterministic; try: stetho verify --deterministic …",
            ], 1
    for other in watched:
        difference = identity.first_difference(first.marks, other.marks, unseeded)
        if difference:
            return [f"different {difference}; bare first, watched second"], 1
        by_findings = findings_count and (first.status, other.status) == (0, STATUS_OF_FINDINGS)
        if other.status != first.status and not by_findings:
            return [f"different exit status: {first.status} bare, {other.status} watched"], 1
    same_output = all(other.output == first.output for other in bare)
    if same_output and any(other.output != first.output for other in watched):
        return ["different standard output; parameters, losses and random state are equal"], 1
    output = "standard output" if same_output else "(standard output differs from run to run even bare)"
    equal = (
        f"equal: {steps} steps, parameters, losses and random state bit by bit, exit status {first.status}, {output}"
    )
    return [equal, *overhead(bare, watched)], 0


def overhead(bare: Sequence[Outcome], watched: Sequence[Outcome]) -> list[str]:
    """How much longer a watched step takes, without the harness; the first step, which warms things up, left out."""
    ratios = [
        min(seconds) / min(bare_seconds)
        for seconds, bare_seconds in zip(_step_seconds(watched), _step_seconds(bare), strict=True)
    ][1:]
    if len(ratios) < 3:
        return []
    low, _, high = quantiles(ratios, n=4)
    grace = OPTIONS["grace_steps"].default
    return [
        f"overhead: a watched step takes {median(ratios):.2f} times as long (median of {len(ratios)} steps, middle half"
        f" {low:.2f} to {high:.2f}); the first {grace} steps are watched densely, later ones keep to the budget"
    ]


def _step_seconds(outcomes: Sequence[Outcome]) -> list[tuple[float, ...]]:
    runs = [[mark.seconds for mark in identity.steps_of(outcome.marks)] for outcome in outcomes]
    return list(zip(*runs, strict=True))


def words_of(given: Mapping[str, object], *, without: Sequence[str] = ()) -> list[str]:
    """The words of a command line that give these options.

    >>> words_of({"every": "1", "dump": ["fc*@1", "head"], "verbose": 2, "memory": True})
    ['--every', '1', '--dump', 'fc*@1', '--dump', 'head', '--verbose', '--verbose', '--memory']
    """
    words: list[str] = []
    for name, value in given.items():
        option = OPTIONS[name]
        flag = option.flags[-1]
        if name in without:
            continue
        if option.is_switch:
            words.append(flag if value else f"--no-{flag.removeprefix('--')}")
        elif option.is_counted and isinstance(value, int):
            words += [flag] * value
        else:
            for each in value if isinstance(value, list | tuple) else [value]:
                words += [flag, str(each)]
    return words


def standard_input() -> bytes | None:
    """What was piped or redirected to us, so that every run of the program can read it; None at a terminal."""
    mode = os.fstat(sys.stdin.fileno()).st_mode
    return sys.stdin.buffer.read() if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) else None


def tell(line: str) -> None:
    """Show what is going on while somebody looks."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
