"""Bare and watched training, interleaved: every variant lives in its own process and trains when it is its turn.

    python -m bench.overhead --workload mlp --seconds 60 --variants full,wandb

The order of a round is bare, A, bare, B, …, bare. A ratio is the tool's time per step over the mean of the bare turns
just before and just after it, so that whatever slows the machine down slows both.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

from bench import inside
from bench.controller import Worker, WorkerFailed
from bench.variants import BARE, BY_NAME, VARIANTS, Variant

Turn = dict[str, float]

TURN_SECONDS = 0.2
PEER_STRIDE = 3
PEER_ROUNDS = 5
LEAST_ROUNDS = 4


@dataclass(slots=True)
class Measured:
    """The turns of one variant, each with the bare turns around it."""

    variant: Variant
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    bare: list[tuple[Turn, Turn]] = field(default_factory=list)
    ending: dict[str, Any] = field(default_factory=dict)
    error: str | None = None

    def add(self, before: Turn, turn: Turn, after: Turn) -> None:
        self.turns.append(turn)
        self.bare.append((before, after))
        for clock, ratios in (("cpu", self.cpu), ("wall", self.wall)):
            around = fmean(one[clock] / one["steps"] for one in (before, after))
            ratios.append(turn[clock] / turn["steps"] / around)

    def summary(self) -> dict[str, Any]:
        result: dict[str, Any] = {"error": self.error, "bytes_per_step": self.ending.get("bytes_per_step")}
        if not self.turns:
            return result
        if self.ending.get("report"):
            bare = median(one["wall"] / one["steps"] for pair in self.bare for one in pair)
            result["inside"] = inside.reduce(self.ending["report"], self.ending["warmed_up_steps"], self.trained, bare)
        per_step = [turn["cpu"] / turn["steps"] for turn in self.turns]
        around = [fmean(one["cpu"] / one["steps"] for one in pair) for pair in self.bare]
        return result | {
            "cpu": spread(self.cpu),
            "wall": spread(self.wall),
            "cpu_mean": fmean(per_step) / fmean(around),
            "cpu_ms": median(per_step) * 1e3,
            "steps": self.trained,
        }

    @property
    def trained(self) -> int:
        """Steps of all turns."""
        return int(sum(turn["steps"] for turn in self.turns))

    def end(self, ending: dict[str, Any]) -> None:
        """Take what the variant tells at its end; a recorder that lost steps was not measured but left out."""
        self.ending = ending
        report, made = ending["report"], self.trained + ending["warmed_up_steps"]
        # Short steps may be slept through where the budget says so; then they are counted.
        recorded = report.get("steps", made) if self.variant.uneven else len(report.get("step", range(made)))
        if recorded != made:
            self.error = f"recorded {recorded} of {made} steps"


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median and quartiles.

    >>> spread([1.0, 2.0, 3.0, 4.0, 5.0])
    {'median': 3.0, 'low': 2.0, 'high': 4.0, 'turns': 5}
    """
    low, high = (values[0], values[0]) if len(values) == 1 else quantiles(values, n=4, method="inclusive")[::2]
    return {"median": median(values), "low": low, "high": high, "turns": len(values)}


def takes_part(variant: Variant, round_number: int) -> bool:
    """Peers are slow and far from their rivals: fewer turns are enough for them.

    >>> [takes_part(BY_NAME["wandb"], number) for number in range(4)]
    [True, False, False, True]
    """
    if variant.kind != "peer":
        return True
    return round_number % PEER_STRIDE == 0 and round_number < PEER_STRIDE * PEER_ROUNDS


def measure(workload: str, variants: Sequence[Variant], seconds: float, folder: Path) -> dict[str, Any]:
    """All variants on one workload; `seconds` is how long the interleaved part lasts."""
    results = {variant.name: Measured(variant) for variant in variants}
    with ExitStack() as stack:
        begun = [stack.enter_context(Worker(workload, variant, folder)) for variant in (BARE, *variants)]
        bare, *workers = begun
        bare.ready()
        for worker in workers:
            with reported(results[worker.variant.name]):
                worker.ready()
        bare_turns = interleave(bare, workers, results, seconds)
        for worker in workers:
            with reported(results[worker.variant.name]):
                results[worker.variant.name].end(worker.close())
        bare.close()
    return {
        "workload": workload,
        "bare": {
            "cpu_ms": median(turn["cpu"] / turn["steps"] for turn in bare_turns) * 1e3,
            "wall_ms": median(turn["wall"] / turn["steps"] for turn in bare_turns) * 1e3,
            "noise": spread(neighbours(bare_turns)),
        },
        "variants": {name: measured.summary() for name, measured in results.items()},
    }


def neighbours(turns: Sequence[Turn]) -> list[float]:
    """The ratio of each bare turn to the one before: what this machine shows where there is no difference at all."""
    per_step = [turn["cpu"] / turn["steps"] for turn in turns]
    return [after / before for before, after in pairwise(per_step)]


class reported:
    """A variant that fails is left out from then on, and says why."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> bool:
        if not isinstance(error, WorkerFailed):
            return False
        self.measured.error = self.measured.error or str(error)
        return True


def can_go_on(measured: Measured, round_number: int) -> bool:
    """Whether a variant still has turns to come."""
    return not measured.error and (measured.variant.kind != "peer" or round_number < PEER_STRIDE * PEER_ROUNDS)


def interleave(bare: Worker, workers: Sequence[Worker], results: dict[str, Measured], seconds: float) -> list[Turn]:
    begin, round_number = time.monotonic(), 0
    bare_turns = [bare.turn(TURN_SECONDS)]
    while round_number < LEAST_ROUNDS or time.monotonic() - begin < seconds:
        if not any(can_go_on(results[worker.variant.name], round_number) for worker in workers):
            break
        for worker in workers:
            measured = results[worker.variant.name]
            if measured.error or not takes_part(worker.variant, round_number):
                continue
            with reported(measured):
                turn = worker.turn(TURN_SECONDS)
                bare_turns.append(bare.turn(TURN_SECONDS))
                measured.add(bare_turns[-2], turn, bare_turns[-1])
        round_number += 1
    return bare_turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workload", default="mlp")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--variants", default=",".join(variant.name for variant in VARIANTS[1:]))
    options = parser.parse_args()
    chosen = [BY_NAME[name] for name in options.variants.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        result = measure(options.workload, chosen, options.seconds, Path(folder))
    json.dump(result, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
