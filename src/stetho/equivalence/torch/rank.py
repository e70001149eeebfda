"""One process of a distributed training: `python -m stetho.equivalence.torch.rank TARGET STEPS FOLDER …`."""

import os
import sys
from pathlib import Path

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from stetho.equivalence.step_files import write_steps
from stetho.equivalence.torch.parts import cut
from stetho.equivalence.torch.tape import Tape, one_pass
from stetho.equivalence.torch.training import build, without_dropout
from stetho.inspect.target import load_object


def main(target: str, steps: int, folder: Path, *, finds_unused: bool) -> None:
    """Train on this process's part of each batch, and write down what came of it."""
    dist.init_process_group("gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    training = build(load_object(target, is_called=False))
    without_dropout(training)
    training.model = DistributedDataParallel(training.model, find_unused_parameters=finds_unused)
    tape = Tape(training)
    tape.record(one_pass, (cut(batch, ranks)[rank] for batch in training.batches()), steps)
    write_steps(folder, f"rank-{rank}", tape.steps)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), finds_unused="finds-unused" in sys.argv[4:])
