"""How far the times of `stetho.profile` are off: the sum over all layers and phases against the bare step.

    python -m bench.profiling            prints the figures
    python -m bench.profiling --json     prints them as one JSON object

A profile scales its layers to the steps that it times without instruments. Two things can be wrong with these, and the
figure has both. Their length: each of these steps is timed here as well, from inside, so that whatever else the machine
does meanwhile is in both. And stetho may slow them down: their CPU time is compared with that of steps without stetho
right before and after the profile. Each is the median of some rounds; the error is both together, in percent, without
its sign. `slower` is the second part of it, with its sign; `noise` is how far the CPU time before a profile is off that
after it.

It does not tell whether the time within a step is given to the right layer.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from statistics import fmean, median

import torch
from torch import nn

from bench.figures import show
from bench.workloads import WORKLOADS
from stetho.profiling.attachment import Attachment, Settings
from stetho.profiling.records import PHASES, Profile

PLAN = {"mlp": (300, 15), "gpt": (6, 5), "cnn-half": (4, 5)}
"""Workload to the bare steps before and after each profile, and to its rounds: the shorter a step, the more of them are
needed, for whatever else the machine does lasts longer than hundreds of steps."""


class Steps:
    """Calls of a step with what each took, by what was measured meanwhile."""

    def __init__(self, step: Callable[[], None]) -> None:
        self._step = step
        self.meanwhile = "warm"
        self._is_first = True
        self.wall: dict[str, list[float]] = defaultdict(list)
        self.processor: dict[str, list[float]] = defaultdict(list)

    def __call__(self) -> None:
        processor, wall = time.thread_time(), time.perf_counter()
        self._step()
        wall, processor = time.perf_counter() - wall, time.thread_time() - processor
        if not self._is_first:  # caches are cold then, and profiles leave it out as well
            self.wall[self.meanwhile].append(wall)
            self.processor[self.meanwhile].append(processor)
        self._is_first = False

    def enter(self, stage: str) -> None:
        self.meanwhile, self._is_first = stage, True

    def call(self, stage: str, number: int) -> None:
        self.enter(stage)
        for _ in range(number + 1):
            self()


def whole(found: Profile) -> float:
    """Everything that the tables show: layers, and what lies outside of them."""
    return sum(found.phases[phase].mean for phase in PHASES)


def usual_mean(times: list[float]) -> float:
    return fmean([each for each in times if each <= 3 * median(times)])


def profiled(steps: Steps, model: nn.Module) -> Profile:
    """What `stetho.profile` does, with an ear for its stages."""
    attachment = Attachment(Settings(steps=10, warmup=1), ends_program=False, on_stage=steps.enter)
    attachment.start()
    attachment.adopt(model)
    attachment.run(steps)
    found = attachment.finish()
    if found is None:
        raise RuntimeError(f"no profile: {attachment.problem}")
    return found


def errors(workload: str, number: int, rounds: int) -> dict[str, float]:
    """Error, slowing down and noise, the median over the rounds, in percent."""
    model, _, step = WORKLOADS[workload]()
    Steps(step).call("warm", number)
    off, slower, noise = [], [], []
    for _ in range(rounds):
        steps = Steps(step)
        steps.call("before", number)
        found = profiled(steps, model)
        steps.call("after", number)
        before, bare, after = (median(steps.processor[stage]) for stage in ("before", "bare", "after"))
        slower.append(2 * bare / (before + after))
        off.append(whole(found) / usual_mean(steps.wall["bare"]))
        noise.append(abs(before / after - 1))
    told, slowed = median(off), median(slower)
    return {
        f"{workload}_error": abs(told * slowed - 1) * 100,
        f"{workload}_slower": (slowed - 1) * 100,
        f"{workload}_noise": median(noise) * 100,
    }


def measure() -> dict[str, float]:
    return {name: value for workload, plan in PLAN.items() for name, value in errors(workload, *plan).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    show(measure(), as_json=options.json)


if __name__ == "__main__":
    main()
