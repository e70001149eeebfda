"""Whole programs, whose batches are accumulated or shared between processes: each way in processes of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stetho.capture.launch import Program
from stetho.comparing.last_words import death_of, last_words
from stetho.comparing.ways import ProgramFailed
from stetho.equivalence.result import Difference, Equivalence, Step, first_differences
from stetho.equivalence.step_files import read_steps
from stetho.equivalence.torch import accumulate, ddp
from stetho.equivalence.torch.inside import FACTS, words_for
from stetho.equivalence.torch.loop import MERGED, PLAIN, RANK, SPLIT, LoopWay
from stetho.errors import UsageError

Say = Callable[[str], None]
NOTE = "dropout was turned off: each way would draw masks of its own"
DRAWN = (
    "the program makes its inputs with random numbers of its own (noise, augmentation), which come out differently for"
    " parts of a batch: what follows cannot be compared"
)


@dataclass(frozen=True)
class Recorded:
    """The first steps of a program in one way."""

    steps: Sequence[Step]
    facts: Mapping[str, Any]

    @property
    def sizes(self) -> list[int]:
        """The samples of the batches that the first step was made of."""
        return list(self.facts["sizes"][0])

    @property
    def notes(self) -> list[str]:
        """What was changed for the sake of comparing."""
        return [NOTE] if self.facts["dropped"] else []


def accumulate_program(program: Program, *, steps: int, parts: int, say: Say) -> Equivalence:
    """Cut each batch of a program in micro-batches; of one that accumulates itself, merge those of an update."""
    say("as it is …")
    plain = _recorded(program, LoopWay(), steps, "accumulate")
    times = max(plain.facts["backwards"])
    if times > 1 and len(plain.sizes) > 1:
        return _merged(program, plain, times, steps, say)
    found: dict[str, list[Difference]] = {}
    for recipe in accumulate.RECIPES:
        say(f"in {parts} micro-batches, each loss {recipe} …")
        cut = _recorded(program, LoopWay(SPLIT, parts, recipe), steps, "accumulate")
        found[recipe], sizes = _differences(plain, cut.steps), cut.sizes
        if not found[recipe]:
            break
    chosen = found[accumulate.USUAL]
    equal = next((recipe for recipe, differences in found.items() if not differences), None)
    return Equivalence(
        "accumulate",
        ("the program as it is", f"micro-batches of {', '.join(map(str, sizes))} samples"),
        len(plain.steps),
        chosen,
        _reasons(chosen, accumulate.reasons_of(chosen, equal, sizes) if chosen else []),
        plain.notes,
    )


def _merged(program: Program, plain: Recorded, times: int, steps: int, say: Say) -> Equivalence:
    say(f"{times} batches in one …")
    whole = _recorded(program, LoopWay(MERGED, times), steps, "accumulate")
    # Each pass of the merged program is over all samples, so only what is added up can be compared.
    differences = [each for each in _differences(whole, plain.steps) if each.stage not in ("input", "act", "loss")]
    sizes = plain.facts["sizes"][differences[0].step - 1] if differences else plain.sizes
    least = min(plain.facts["backwards"])
    short = [f"an update is made of {least} passes where others have {times}: its samples weigh less or more"]
    return Equivalence(
        "accumulate",
        ("the samples of an update in one batch", f"micro-batches of {', '.join(map(str, sizes))} samples, as it is"),
        len(plain.steps),
        differences,
        _merged_reasons(differences, sizes, plain) if differences else [],
        [*plain.notes, *(short if least < times else [])],
    )


def _merged_reasons(differences: Sequence[Difference], sizes: Sequence[int], plain: Recorded) -> list[str]:
    norms = [name for name, kind in plain.facts["kinds"].items() if "BatchNorm" in kind]
    if norms:
        return [f"`{norms[0]}` normalises by the statistics of a micro-batch, which are not those of the whole"]
    equal = "weighed by the share of samples" if len(set(sizes)) > 1 else None
    return accumulate.reasons_of(differences, equal, sizes)


def ddp_program(program: Program, *, steps: int, say: Say) -> Equivalence:
    """Run a program in one process, and its model in DistributedDataParallel in two, each with half of a batch."""
    say("in one process …")
    plain = _recorded(program, LoopWay(), steps, "ddp")
    say(f"in {ddp.RANKS} processes …")
    with tempfile.TemporaryDirectory(prefix="stetho-ddp-") as scratch:
        folder = Path(scratch)
        way = LoopWay(RANK, ddp.RANKS, finds_unused=bool(plain.facts["unused"]))
        ddp.run_ranks(words_for(way, steps, folder, program))
        ranks = [_read(folder, rank, program, "ddp") for rank in range(ddp.RANKS)]
    differences = _differences(plain, ddp.joined([rank.steps for rank in ranks]))
    differences = [each for each in differences if each.stage != "loss"]
    sizes = [rank.sizes[0] for rank in ranks]
    return Equivalence(
        "ddp",
        ("one process", f"{ddp.RANKS} processes with {' and '.join(map(str, sizes))} samples each step"),
        len(plain.steps),
        differences,
        _reasons(differences, ddp.reasons_of(differences, sizes)),
        [*plain.notes, *ddp.notes_on(plain.facts["unused"])],
    )


def _differences(one: Recorded, steps: Sequence[Step]) -> list[Difference]:
    return first_differences(one.steps, steps, tolerance=accumulate.TOLERANCE, kinds=one.facts["kinds"])


def _reasons(differences: Sequence[Difference], known: list[str]) -> list[str]:
    return [DRAWN] if differences and differences[0].stage == "input" else known


def _recorded(program: Program, way: LoopWay, steps: int, test: str) -> Recorded:
    with tempfile.TemporaryDirectory(prefix="stetho-loop-") as scratch:
        folder = Path(scratch)
        done = subprocess.run(
            [sys.executable, *words_for(way, steps, folder, program)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode or not (folder / f"{FACTS}-0.json").exists():
            log = done.stderr.decode(errors="replace")
            how = "" if way.kind == PLAIN else f" in {way.count} parts"
            why = death_of(done.returncode, log) or f"its last words: {last_words(log)}"
            raise ProgramFailed(f"`{' '.join(program.words)}` fails{how}; {why}")
        return _read(folder, 0, program, test)


def _read(folder: Path, rank: int, program: Program, test: str) -> Recorded:
    facts = json.loads((folder / f"{FACTS}-{rank}.json").read_text())
    steps = read_steps(folder, f"rank-{rank}")
    problem = facts["problem"]
    if problem is None and not steps:
        problem = "no optimizer made a step after its model was called"
    if problem is None and not facts["sizes"][0]:
        problem = "it takes its batches from no DataLoader"
    if problem is not None:
        raise UsageError(
            f"`{' '.join(program.words)}` cannot be done in this way: {problem}; write a set-up function and test it "
            f"with: stetho equivalent {test} {program.target}:setup"
        )
    return Recorded(steps, facts)
