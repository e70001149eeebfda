"""What it costs to write down a forward and backward pass for a comparison, next to a step of the training itself.

    python -m bench.comparing            prints the figures
    python -m bench.comparing --json     prints them as one JSON object

The step is the workload's own, with its optimizer. What is written down is every tensor of the forward pass and the
gradients of weights, as `stetho.compare` does it for models like these: in double precision, and as it does where a
model cannot do that, in its own type. What the same pass costs in double precision with nobody looking on stands beside
it: of convolutions, torch has no quick ones there. All are timed in turn, in CPU time; a figure is the median over the
rounds of one over the step.

Of two recorded runs, it tells the memory that comparing 3 million rows takes, over what the process had before.
"""

import argparse
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import torch

from bench import store
from bench.figures import show
from bench.workloads import WORKLOADS
from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.torch.subject import Subject
from stetho.inspect.call import Call
from stetho.store.reader import open_run

MIB = 1 << 20
PLAN = {"mlp": 15, "gpt": 5, "cnn-half": 5}
"""Workload to its rounds."""
STEPS = 5_000
"""Steps of 300 rows each in both of two recorded runs."""


def capture(workload: str, rounds: int) -> dict[str, float]:
    """Seconds of writing a pass down over those of a step."""
    model, _, step = WORKLOADS[workload]()
    call = first_call(model, step)
    ratios: dict[str, list[float]] = {"capture_double": [], "alone_double": [], "capture_own": []}
    for turn in range(rounds + 1):
        for kind, found in ratios.items():
            subject = Subject(model, call, workload, training=True, precise=kind != "capture_own")
            action = alone if kind == "alone_double" else traced
            bare, taken = seconds(step), seconds(partial(action, subject))
            if turn:
                found.append(taken / bare)
    return {f"{workload}_{kind}": median(found) for kind, found in ratios.items()}


def traced(subject: Subject) -> None:
    subject.trace([0], ())


def alone(subject: Subject) -> None:
    output = subject.call.of(subject.model)
    torch.autograd.grad(output, list(subject.model.parameters()), torch.ones_like(output))


def first_call(model: torch.nn.Module, step: Callable[[], None]) -> Call:
    """What a step calls its model with."""
    seen: list[Call] = []
    handle = model.register_forward_pre_hook(lambda _, args: seen.append(Call(args)))
    step()
    handle.remove()
    return seen[0]


def seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def runs() -> dict[str, float]:
    """Comparing two recorded runs of many rows."""
    with tempfile.TemporaryDirectory(prefix="stetho-bench-") as folder:
        for name in ("first", "second"):
            store.write(Path(folder) / name, STEPS)
        pair = open_run(Path(folder) / "first"), open_run(Path(folder) / "second")
        tracemalloc.start()
        compare_runs(*pair)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return {"runs_memory_mib": peak / MIB}


def measure() -> dict[str, float]:
    found = {name: value for workload, rounds in PLAN.items() for name, value in capture(workload, rounds).items()}
    return found | runs()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    torch.set_num_threads(1)
    show(measure(), as_json=options.json)


if __name__ == "__main__":
    main()
