"""One process over whole batches, and two real processes that share them: the same, if each sample weighs the same."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stetho.comparing.tensor_error import Array
from stetho.equivalence.result import Difference, Equivalence, Step, first_differences
from stetho.equivalence.step_files import read_steps
from stetho.equivalence.torch.parts import cut, size_of
from stetho.equivalence.torch.shared import NEEDED
from stetho.equivalence.torch.tape import Tape, one_pass
from stetho.equivalence.torch.training import build, without_dropout
from stetho.errors import StethoError

TOLERANCE = 1e-4
RANKS = 2
NOTE = "dropout was turned off: each process would draw masks of its own"
SHARED = ("input", "act", "loss")
"""What each process has its own part of; the rest is the same in all of them."""


class RanksFailed(StethoError):
    """The processes of a distributed training did not come to their end."""


def ddp(setup: Callable[[], Any], *, target: str, steps: int = 3) -> Equivalence:
    """Compare one process with two that are joined by gloo; `target` is how the others find the set-up function."""
    training = build(setup)
    dropped = without_dropout(training)
    whole = Tape(training)
    whole.record(one_pass, training.batches(), steps)
    sizes = [size_of(part) for part in cut(next(build(setup).batches()), RANKS)]
    with tempfile.TemporaryDirectory(prefix="stetho-ddp-") as folder:
        together = joined(_ranks(target, steps, Path(folder), finds_unused=bool(whole.unused)))
    found = first_differences(whole.steps, together, tolerance=TOLERANCE, kinds=whole.kinds)
    found = [each for each in found if each.stage != "loss"]
    return Equivalence(
        test="ddp",
        ways=("one process", f"{RANKS} processes with {' and '.join(map(str, sizes))} samples each step"),
        steps=len(whole.steps),
        differences=found,
        reasons=reasons_of(found, sizes),
        notes=[*([NOTE] if dropped else []), *notes_on(whole.unused)],
    )


def notes_on(unused: Sequence[str]) -> list[str]:
    """What a user has to know of parameters that get no gradient."""
    more = f" and {len(unused) - 1} more" if len(unused) > 1 else ""
    return [f"`{unused[0]}`{more} {NEEDED}"] if unused else []


def _ranks(target: str, steps: int, folder: Path, *, finds_unused: bool) -> list[list[Step]]:
    """Run the processes, and read what each of them wrote down."""
    words = [target, str(steps), str(folder), *(["finds-unused"] if finds_unused else [])]
    run_ranks(["-m", "stetho.equivalence.torch.rank", *words])
    return [read_steps(folder, f"rank-{rank}") for rank in range(RANKS)]


def run_ranks(words: Sequence[str]) -> None:
    """Run two processes of Python that can join each other."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    joined = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": str(RANKS)}
    started = [
        subprocess.Popen(
            [sys.executable, *words],
            env=os.environ | joined | {"RANK": str(rank)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for rank in range(RANKS)
    ]
    last = [each.communicate()[1].decode(errors="replace").strip().splitlines()[-1:] for each in started]
    if any(each.returncode for each in started):
        words_said = next((lines[0] for lines in last if lines), "nothing")
        raise RanksFailed(f"a process of the distributed training failed; its last words: {words_said}")


def joined(ranks: Sequence[Sequence[Step]]) -> list[Step]:
    """The steps of all processes as one: samples one after another, everything else as the first one has it."""
    return [{key: _one(key, [part[key] for part in parts]) for key in parts[0]} for parts in zip(*ranks, strict=True)]


def _one(key: str, parts: list[Array]) -> Array:
    if key.partition("/")[0] not in SHARED:
        return parts[0]
    return np.mean(parts, axis=0) if parts[0].ndim == 0 else np.concatenate(parts)


def reasons_of(found: Sequence[Difference], sizes: Sequence[int]) -> list[str]:
    """Why two processes do not give what one gives."""
    if not found:
        return []
    first = found[0]
    if first.stage in ("act", "buffer") and ("BatchNorm" in first.kind or "running_" in first.name):
        return [f"`{first.name}` sees the samples of one process alone; use torch.nn.SyncBatchNorm"]
    if first.stage == "act":
        return [f"`{first.name}` ({first.kind}) makes a sample depend on the other samples of its batch"]
    if first.stage == "grad" and len(set(sizes)) > 1:
        return [
            f"the processes have {' and '.join(map(str, sizes))} samples, and gradients are averaged as if these were"
            " equal: weigh each loss by its share of the samples, or drop the last short batch"
        ]
    if first.stage == "grad":
        return ["gradients are averaged over processes: a loss that is a sum, or a mean over something uneven, differs"]
    return []
