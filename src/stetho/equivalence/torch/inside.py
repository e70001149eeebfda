"""A program in a process of its own: `python -m stetho.equivalence.torch.inside STEPS FOLDER WAY program.py …`."""

import json
import os
import random
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch
from torch import distributed

from stetho.capture.launch import Program, run_program
from stetho.equivalence.step_files import write_steps
from stetho.equivalence.torch.loop import RANK, LoopWay
from stetho.equivalence.torch.looped import Enough, Looped
from stetho.equivalence.torch.training import SEED
from stetho.errors import StethoError

FACTS = "facts"


def words_for(way: LoopWay, steps: int, folder: Path, program: Program) -> list[str]:
    """What Python is started with to do this."""
    return ["-m", __spec__.name, str(steps), str(folder), json.dumps(asdict(way)), *program.words]


def main(steps: int, folder: Path, way: LoopWay, program: Program) -> None:
    """Run the program until enough steps are over, and write down what came of it, or why nothing did."""
    if way.kind == RANK:
        distributed.init_process_group("gloo")
        way = replace(way, rank=distributed.get_rank())
    for seed in (random.seed, np.random.seed, torch.manual_seed):
        seed(SEED)
    looped = Looped(way, steps)
    looped.install()
    problem = None
    try:
        run_program(program)
    except Enough:
        pass
    except StethoError as error:
        problem = str(error)
    facts = {"sizes": looped.sizes, "backwards": looped.backwards, "dropped": looped.has_dropped, "problem": problem}
    tape = looped.tape
    write_steps(folder, f"rank-{way.rank}", tape.steps if tape is not None else [])
    (folder / f"{FACTS}-{way.rank}.json").write_text(json.dumps(facts | (tape.facts if tape else {})))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(int(sys.argv[1]), Path(sys.argv[2]), LoopWay(**json.loads(sys.argv[3])), Program.from_words(sys.argv[4:]))
    sys.stdout.flush()
    # Processes that were joined, workers of loaders: nothing of the program's is waited for.
    os._exit(0)
