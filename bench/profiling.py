"""How far the times of `stetho.profile` are off: the sum over all layers and phases against the bare step.

    python -m bench.profiling            prints the figures
    python -m bench.profiling --json     prints them as one JSON object

The bare steps are timed here, without stetho, right before and after each profile; the figure is the median of some
rounds, in percent, without its sign. `noise` is the median of how far the bare steps before a profile are off those
after it. Steps that take more than three times the median are left out, as in the profile.

A profile scales its layers to the bare steps that it times itself. So this tells whether those are as fast as steps
without stetho; it does not tell whether the time within a step is given to the right layer.
"""

import argparse
import time
from collections.abc import Callable
from statistics import fmean, median

import torch

from bench.figures import show
from bench.workloads import WORKLOADS
from stetho.profiling.records import PHASES, Profile
from stetho.timing import profile

PLAN = {"mlp": (300, 15), "gpt": (6, 5), "cnn-half": (4, 5)}
"""Workload to the bare steps before and after each profile, and to its rounds: the shorter a step, the more of them are
needed, for whatever else the machine does lasts longer than hundreds of steps."""


def bare_seconds(step: Callable[[], None], steps: int) -> list[float]:
    times = []
    for _ in range(steps):
        started = time.perf_counter()
        step()
        times.append(time.perf_counter() - started)
    return times


def whole(found: Profile) -> float:
    """Everything that the tables show: layers, and what lies outside of them."""
    return sum(found.phases[phase].mean for phase in PHASES)


def usual_mean(times: list[float]) -> float:
    return fmean([each for each in times if each <= 3 * median(times)])


def errors(workload: str, steps: int, rounds: int) -> dict[str, float]:
    """Error and noise, the median over the rounds, in percent."""
    model, _, step = WORKLOADS[workload]()
    bare_seconds(step, steps)
    off, noise = [], []
    for _ in range(rounds):
        before = bare_seconds(step, steps)
        found = profile(step, model=model, steps=10, warmup=1).result
        after = bare_seconds(step, steps)
        off.append(whole(found) / usual_mean(before + after) - 1)
        noise.append(abs(usual_mean(before) / usual_mean(after) - 1))
    return {f"{workload}_error": abs(median(off)) * 100, f"{workload}_noise": median(noise) * 100}


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
