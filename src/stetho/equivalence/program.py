"""Equivalence tests of whole programs: they are run in processes of their own, recorded, and the runs compared."""

import shlex
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stetho.capture.launch import Program
from stetho.comparing.runs.beginning import goes_on_after
from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.result import RunComparison
from stetho.comparing.ways import ProgramFailed, compare_ways, record
from stetho.equivalence.folder import changed_files, copied, moved_into, states, told_of
from stetho.store.reader import Run

Say = Callable[[str], None]
REASONS = {
    "weights": "the weights are not restored",
    "data": "the place in the data is not restored: the resumed program begins with other batches",
    "randomness": "the state of the random generator is not restored",
    "optimizer": "the optimizer's state is not restored",
    "update": "the optimizer's state, or the scheduler's, is not restored",
}
MOST_NAMES = 4
SAVED_AT_THE_STOP = (
    "the checkpoint was saved when the program was stopped, right behind an update: what it counts after that, as its "
    "steps, is one behind"
)


@dataclass(frozen=True)
class Stopped:
    """A program that was stopped and started again: both of its runs, and what it left in its folder."""

    begun: Run
    later: Run
    written: Sequence[str]


def resume_program(program: Program, again: Sequence[str], *, at: int, steps: int, say: Say) -> RunComparison:
    """Run a program without a stop; then up to a step behind `at`, and once more with the arguments `again` added.

    Both in copies of the folder that it is started in: a program that goes on wherever it finds a checkpoint begins
    with none of its own, and overwrites none. What it goes on with is told by the weights that it begins with.
    """
    source = Path.cwd()
    program = moved_into(program, source)
    with tempfile.TemporaryDirectory(prefix="stetho-resume-") as scratch:
        out = Path(scratch)
        say("without a stop …")
        with copied(source, out / "folder") as folder:
            whole, _ = record(program, out / "whole", [], at + 1 + steps, folder=folder)
        with copied(source, out / "folder") as folder:
            stopped = _stopped(program, again, folder, out, at, steps, say)
        whole, later = (told_of(run, folder, source) for run in (whole, stopped.later))
        _check_beginning(program, whole, stopped.begun)
        # What is saved when a program is stopped is there after one step more.
        offset = goes_on_after(whole, later, [at, at + 1, *range(at - 1, -1, -1)])
        if offset == 0 and compare_runs(whole, later).is_equal:
            raise ProgramFailed(_began_anew(program, at, stopped.written))
        found = _told(compare_runs(whole, later, offset=offset or at), again, offset or at, steps)
        return found.with_notes(SAVED_AT_THE_STOP) if offset == at + 1 and not found.is_equal else found


def _stopped(program: Program, again: Sequence[str], folder: Path, out: Path, at: int, steps: int, say: Say) -> Stopped:
    before = states(folder)
    say(f"up to step {at} …")
    # What is saved after a step is there once the next one is over.
    begun, _ = record(program, out / "begun", [], at + 1, folder=folder)
    written = changed_files(folder, before)
    say("on from there …")
    resumed = replace(program, arguments=(*program.arguments, *again))
    later, _ = record(resumed, out / "resumed", [], steps, folder=folder)
    return Stopped(begun, later, written)


def _check_beginning(program: Program, whole: Run, begun: Run) -> None:
    found = compare_runs(whole, begun)
    if not found.is_equal:
        raise ProgramFailed(
            f"`{' '.join(program.words)}` does not begin alike when it is started twice: {found.verdict.sentence}; it "
            "may find what it saved outside of the folder that it is started in: let it save below that, or say with "
            "--with what makes it resume"
        )


def _began_anew(program: Program, at: int, written: Sequence[str]) -> str:
    names = ", ".join(written[:MOST_NAMES]) + (" …" if len(written) > MOST_NAMES else "")
    left = f"it wrote {names}" if written else "it wrote no file in its folder"
    return (
        f"`{' '.join(program.words)}` began anew when it was started again: up to step {at} {left}; choose a later "
        "step, after it has saved, with --at N, or say how it is resumed, as in --with '--resume checkpoint.pt'"
    )


def _told(found: RunComparison, again: Sequence[str], after: int, steps: int) -> RunComparison:
    facts = [fact for fact in found.facts if fact.name != "command"]
    reason = REASONS.get(found.verdict.kind)
    reasons = found.reasons if reason is None else [reason, *(found.reasons if found.verdict.kind != "weights" else [])]
    how = f"resumed with {shlex.join(again)}" if again else "started again"
    names = (f"{after + steps} steps without a stop", f"{how}, from its checkpoint after step {after}")
    return replace(found, names=names, facts=facts, reasons=reasons)


def program_in_way(program: Program, way: str, *, steps: int, say: Say) -> RunComparison:
    """Run a program as it is and in another way."""
    return compare_ways(program, way, steps=steps, say=say)
