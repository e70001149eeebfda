"""The child process of one variant: trains when told to and answers with the seconds it took.

    python -m bench.worker WORKLOAD VARIANT FOLDER

One JSON object a line: `{"ready": …}` or `{"error": …}` first; then for each number of steps read from stdin the CPU
and wall seconds; for an empty line what the variant has to tell at its end.
"""

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

WARM_UP_STEPS = 100
WARM_UP_SECONDS = 1.0
SETTLING_STEPS = 60
SETTLING_SECONDS = 3.0
"""In the background, what judges a run is loaded in its first seconds."""


class Pauses:
    """Lets the process's clocks stand still while it waits for its turn.

    A budget is a share of wall time. Without this the minutes in which the other variants train would count as time of
    this one, and would be spent. Only a variant with a budget needs it: a clock in Python costs as much as five others.
    """

    def __init__(self) -> None:
        self._nanoseconds = 0
        self.now = time.perf_counter_ns

    def replace_clocks(self, *clocks: str) -> None:
        """From here on, who imports a clock gets one that stands still in pauses."""

        def behind(clock: Callable[[], int], scale: float) -> Callable[[], float]:
            return lambda: (clock() - self._nanoseconds) * scale

        def behind_ns(clock: Callable[[], int]) -> Callable[[], int]:
            return lambda: clock() - self._nanoseconds

        for name in clocks:
            clock = getattr(time, f"{name}_ns")
            setattr(time, name, behind(clock, 1e-9))
            setattr(time, f"{name}_ns", behind_ns(clock))

    def add(self, nanoseconds: int) -> None:
        self._nanoseconds += nanoseconds


def children_seconds() -> float:
    """CPU time of the processes that the tool has started (wandb's service is one)."""
    import psutil

    times = [child.cpu_times() for child in psutil.Process().children(recursive=True)]
    return float(sum(one.user + one.system for one in times))


def folder_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def train(step: Callable[[], None], steps: int) -> dict[str, float]:
    children = children_seconds()
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(steps):
        step()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {"steps": steps, "wall": wall, "cpu": cpu + children_seconds() - children}


def warm_up(step: Callable[[], None], *, settles: bool = False) -> dict[str, float]:
    """Trains a little; gives the number of steps and the CPU seconds of one of them.

    What settles trains on until it has, both in steps and in time.
    """
    begin, done = time.perf_counter(), 0
    while done < WARM_UP_STEPS and time.perf_counter() - begin < WARM_UP_SECONDS:
        step()
        done += 1
    while settles and (done < SETTLING_STEPS or time.perf_counter() - begin < SETTLING_SECONDS):
        step()
        done += 1
    turn = train(step, max(1, done // 10))
    return {"steps": done + turn["steps"], "step_seconds": turn["cpu"] / turn["steps"]}


def serve(workload: str, variant: str, folder: Path, channel: TextIO) -> None:
    pauses = Pauses()

    import torch

    from bench.variants import BY_NAME
    from bench.workloads import WORKLOADS

    def answer(reply: dict[str, object]) -> None:
        channel.write(json.dumps(reply) + "\n")
        channel.flush()

    torch.set_num_threads(1)
    model, optimizer, step = WORKLOADS[workload]()
    if BY_NAME[variant].uneven:
        pauses.replace_clocks("perf_counter", "monotonic")
    attached = BY_NAME[variant].attach(model, optimizer, step, folder)
    warmed = warm_up(attached.step, settles=BY_NAME[variant].settles)
    written = folder_bytes(folder)
    answer({"ready": warmed})

    trained = 0
    waiting = pauses.now()
    for line in sys.stdin:
        pauses.add(pauses.now() - waiting)
        if not line.strip():
            break
        turn = train(attached.step, int(line))
        trained += int(line)
        answer(dict(turn))
        waiting = pauses.now()
    report = attached.close()
    answer({"report": report, "bytes_per_step": (folder_bytes(folder) - written) / max(1, trained)})


def main() -> None:
    workload, variant, folder = sys.argv[1:]
    # Tools print; the pipe to the controller is ours alone.
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        serve(workload, variant, Path(folder), channel)
    except Exception as error:
        traceback.print_exc()
        text = str(error).strip().split("\n")[0]
        channel.write(json.dumps({"error": f"{type(error).__name__}: {text}"}) + "\n")
        channel.flush()
        os._exit(1)
    # Some tools take long or ask something at interpreter exit.
    os._exit(0)


if __name__ == "__main__":
    main()
