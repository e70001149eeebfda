"""Equivalence tests of whole programs: they are run in processes of their own, recorded, and the runs compared."""

import shlex
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from stetho.capture.launch import Program
from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.result import RunComparison
from stetho.comparing.ways import compare_ways, record
from stetho.errors import UsageError

Say = Callable[[str], None]
REASONS = {
    "weights": "the weights are not restored",
    "data": "the place in the data is not restored: the resumed program begins with other batches",
    "randomness": "the state of the random generator is not restored",
    "optimizer": "the optimizer's state is not restored",
    "update": "the optimizer's state, or the scheduler's, is not restored",
}


def resume_program(program: Program, again: Sequence[str], *, at: int, steps: int, say: Say) -> RunComparison:
    """Run a program without a stop; then up to its checkpoint after step `at`, and on from there with other arguments.

    The program has to save after step `at`, and to load what it saved when it is started with `again` added.
    """
    if not again:
        raise UsageError(
            "how the program is resumed is not known; say it before the program, as in: "
            "stetho equivalent resume --at 5 --with '--resume checkpoint.pt' train.py; one that goes on by itself "
            "wherever it finds a checkpoint would begin with it too: give such a program an argument for it"
        )
    resumed = replace(program, arguments=(*program.arguments, *again))
    with tempfile.TemporaryDirectory(prefix="stetho-resume-") as scratch:
        out = Path(scratch)
        say("without a stop …")
        whole, _ = record(program, out / "whole", [], at + steps)
        say(f"up to step {at} …")
        # What is saved after a step is there once the next one is over.
        record(program, out / "begun", [], at + 1)
        say("on from there …")
        later, _ = record(resumed, out / "resumed", [], steps)
        found = compare_runs(whole, later, offset=at)
    facts = [fact for fact in found.facts if fact.name != "command"]
    reason = REASONS.get(found.verdict.kind)
    reasons = found.reasons if reason is None else [reason, *(found.reasons if found.verdict.kind != "weights" else [])]
    names = (f"{at + steps} steps without a stop", f"resumed with {shlex.join(again)} after step {at}")
    return replace(found, names=names, facts=facts, reasons=reasons)


def program_in_way(program: Program, way: str, *, steps: int, say: Say) -> RunComparison:
    """Run a program as it is and in another way."""
    return compare_ways(program, way, steps=steps, say=say)
