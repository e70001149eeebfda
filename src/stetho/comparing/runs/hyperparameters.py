"""Optimizers, schedulers, loaders and losses of two runs, and what is set at every step anew."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

import numpy as np

from stetho.comparing.runs.fact import Fact, text_of, unlike
from stetho.comparing.runs.recorded import Recorded

AREA = "hyperparameters"
NOT_OF_AN_OPTIMIZER = ("parameters", "foreach", "fused", "initial_lr", "param_names", "lr")
"""What does not change the update, and the learning rate, which is compared step by step."""
LISTS = {
    "schedulers": ("scheduler", ("class",)),
    "loaders": ("loader", ("dataset", "length", "batch_size", "sampler", "shuffled", "drop_last", "workers")),
}
OF_A_LOSS = (
    "call", "reduction", "ignore_index", "label_smoothing", "weight", "pos_weight", "log_target", "log_input", "full",
    "delta", "beta", "margin", "p", "swap", "eps", "blank", "zero_infinity",
)  # fmt: skip
OF_A_STEP = {
    "lr": "lr",
    "batch_size": "batch size",
    "backwards": "backward passes a step",
    "clip_max": "clipping at",
    "loss_scale": "loss scale",
}


def differing_hyperparameters(one: Recorded, other: Recorded) -> Iterator[Fact]:
    """What is not the same of optimizers, schedulers, loaders and losses, and of the settings of each step."""
    for mine, theirs in _pairs(one, other, "optimizers"):
        where = (mine.get("line"), theirs.get("line"))
        yield from unlike(AREA, {"optimizer": mine.get("class")}, {"optimizer": theirs.get("class")}, where=where)
        for number, (first, second) in enumerate(zip_longest(mine.get("groups", []), theirs.get("groups", []))):
            yield from _group(first or {}, second or {}, f"group {number} " if number else "", where)
    for key, (label, wanted) in LISTS.items():
        for number, (mine, theirs) in enumerate(_pairs(one, other, key)):
            first, second = ({name: side.get(name) for name in wanted} for side in (mine, theirs))
            prefix = f"{label} {number + 1} " if number else f"{label} "
            yield from unlike(AREA, first, second, prefix, (mine.get("line"), theirs.get("line")))
    yield from _losses(one, other)
    yield from _of_each_step(one, other)


def _pairs(one: Recorded, other: Recorded, key: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for mine, theirs in zip_longest(one.fact(key), other.fact(key)):
        yield mine or {}, theirs or {}


def _losses(one: Recorded, other: Recorded) -> Iterator[Fact]:
    for number, (mine, theirs) in enumerate(_pairs(one, other, "losses")):
        # A setting that one kind of loss alone has follows from the kind.
        is_same = mine.get("call") == theirs.get("call")
        wanted = [name for name in OF_A_LOSS if is_same or (name in mine and name in theirs)]
        first, second = ({name: side.get(name) for name in wanted} for side in (mine, theirs))
        prefix = f"loss {number + 1} " if number else "loss "
        yield from unlike(AREA, first, second, prefix, (mine.get("line"), theirs.get("line")))


def _group(
    one: Mapping[str, Any], other: Mapping[str, Any], prefix: str, where: tuple[str | None, str | None]
) -> Iterator[Fact]:
    # A setting that one kind of optimizer alone has follows from the kind.
    common = set(one) & set(other) if one and other else set(one) | set(other)
    first, second = (
        {key: value for key, value in side.items() if key in common and _matters(key, prefix)} for side in (one, other)
    )
    yield from unlike(AREA, first, second, prefix, where)


def _matters(key: str, prefix: str) -> bool:
    # Of the steps, only the learning rate of the first group is known.
    return key not in NOT_OF_AN_OPTIMIZER or (key == "lr" and bool(prefix))


def _of_each_step(one: Recorded, other: Recorded) -> Iterator[Fact]:
    """The first step at which a setting differs."""
    common, mine, theirs = np.intersect1d(one.steps["step"], other.steps["step"], return_indices=True)
    lines = tuple(next((each.get("line") for each in side.fact("optimizers")), None) for side in (one, other))
    for key, label in OF_A_STEP.items():
        a, b = one.steps[key][mine], other.steps[key][theirs]
        off = np.flatnonzero(~((a == b) | (np.isnan(a) & np.isnan(b))))
        if not len(off):
            continue
        since = f" from step {int(common[off[0]])} on" if off[0] else ""
        first, second = (text_of(None if np.isnan(side[off[0]]) else float(side[off[0]])) for side in (a, b))
        yield Fact(AREA, f"{label}{since}", first, second, (lines[0], lines[1]) if key == "lr" else (None, None))
