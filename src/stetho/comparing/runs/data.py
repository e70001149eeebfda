"""Whether two runs were fed the same: batches by their content, inputs and targets by their moments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from math import isclose
from operator import itemgetter
from typing import Any, Literal

from stetho.comparing.runs.recorded import Recorded

Kind = Literal["same", "unknown", "order", "scaled", "shape", "dtype", "targets", "changed", "other"]
Row = Mapping[str, Any]
CLOSE = 1e-5
MOST_BATCHES = 20_000


@dataclass(frozen=True, slots=True)
class Data:
    """How the data of two runs compare: the first step whose batch is another one, and in which way it is."""

    kind: Kind
    step: int | None
    sentence: str
    batches: int
    """How many batches were compared."""

    @property
    def is_same(self) -> bool:
        """Whether nothing speaks against the same data."""
        return self.kind in ("same", "unknown")


def compare_data(one: Recorded, other: Recorded) -> Data:
    """Compare the batches of the steps that both runs have."""
    number, is_known = 0, False
    ignored = _ignored(one, other)
    for a, b in _pairs(one, other):
        number += 1
        is_known |= a["hash"] is not None
        if a["hash"] != b["hash"] or a["shape"] != b["shape"] or a["dtype"] != b["dtype"]:
            kind, sentence = _kind(a, b, (one, other))
            return Data(kind, a["step"], sentence, number)
        target = _target(a, b, ignored)
        if target:
            return Data("targets", a["step"], target, number)
    if not number:
        return Data("unknown", None, "no batch was recorded in both runs", 0)
    if not is_known:
        return Data("unknown", None, "the inputs are no plain tensors, so their content was not recorded", number)
    return Data("same", None, f"the same {number:,} batches in both runs", number)


def _pairs(one: Recorded, other: Recorded) -> Iterator[tuple[Row, Row]]:
    """The training batches of both runs: those of one step and one model, in their order."""
    sides = [groupby(side.batches(), key=itemgetter("step")) for side in (one, other)]
    mine, theirs = (next(side, None) for side in sides)
    while mine is not None and theirs is not None:
        if mine[0] == theirs[0]:
            ours, others = _by_model(mine[1]), _by_model(theirs[1])
            yield from ((ours[key], others[key]) for key in ours if key in others)
        step = min(mine[0], theirs[0])
        mine = next(sides[0], None) if mine[0] == step else mine
        theirs = next(sides[1], None) if theirs[0] == step else theirs


def _by_model(rows: Iterable[Row]) -> dict[tuple[int, int], Row]:
    """The batches of one step by model, and place among those of the same model."""
    found: dict[tuple[int, int], Row] = {}
    for row in rows:
        number = 0
        while (row["model"], number) in found:
            number += 1
        found[row["model"], number] = row
    return found


def _kind(a: Row, b: Row, sides: tuple[Recorded, Recorded]) -> tuple[Kind, str]:
    """In which way two batches differ, and that in words."""
    if a["shape"] != b["shape"]:
        return "shape", f"the batches have shapes {a['shape']} and {b['shape']}"
    if a["dtype"] != b["dtype"]:
        return "dtype", f"the inputs are {a['dtype']} and {b['dtype']}"
    seen = [_samples(side, a["step"]) for side in sides]
    changed = _changed(a["samples"] or (), b["samples"] or (), seen[0] & seen[1])
    if changed:
        return "changed", changed
    shared = len(seen[0] & seen[1]) / max(min(len(seen[0]), len(seen[1])), 1)
    if shared > 0.1:
        return "order", f"the same samples come in another order ({shared:.0%} of those seen are in both runs)"
    scale = _scale(a, b)
    if scale:
        return "scaled", scale
    return "other", f"other inputs: {_moments(a)} and {_moments(b)}"


def _changed(ours: Sequence[Any], theirs: Sequence[Any], shared: set[Any]) -> str:
    """Whether some samples of a batch are others while all the rest stand at their places: another transform."""
    unlike = [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b]
    if len(ours) != len(theirs) or len(unlike) == len(ours) or any({a, b} & shared for a, b in unlike):
        return ""
    return (
        f"{len(unlike)} of {len(ours)} samples of the batch have other values, the rest are the same at their places:"
        " samples are made or augmented differently"
    )


def _samples(side: Recorded, step: int) -> set[Any]:
    """The samples that a run sees from a step on; of a long run, as many as an epoch may well have."""
    later = islice((row for row in side.batches() if row["step"] >= step), MOST_BATCHES)
    return {sample for row in later for sample in row["samples"] or [row["hash"]]}


def _scale(a: Row, b: Row) -> str | None:
    """Whether the inputs of one side are those of the other, multiplied and shifted."""
    keys = ("mean", "std", "min", "max")
    if any(row[key] is None for row in (a, b) for key in keys) or not a["std"] or not b["std"]:
        return None
    reach = max(abs(b["min"]), abs(b["max"]))
    for factor in (b["std"] / a["std"], -b["std"] / a["std"]):
        shift = b["mean"] - factor * a["mean"]
        ends = sorted(factor * a[key] + shift for key in ("min", "max"))
        if max(abs(ends[0] - b["min"]), abs(ends[1] - b["max"])) <= 1e-3 * reach:
            break
    else:
        return None
    if isclose(factor, 1, rel_tol=CLOSE) and abs(shift) <= CLOSE * reach:
        return "the inputs have the same moments, and other values or another order inside"
    words = [f"multiplied by {factor:.4g}"] if not isclose(factor, 1, rel_tol=CLOSE) else []
    words += [f"shifted by {shift:.4g}"] if abs(shift) > (1e-3 if words else CLOSE) * reach else []
    return f"the inputs of the second run are those of the first, {' and '.join(words)}"


def _moments(row: Row) -> str:
    if row["mean"] is None:
        return "moments not recorded"
    return f"mean {row['mean']:.4g} std {row['std']:.4g}"


def _ignored(one: Recorded, other: Recorded) -> set[int]:
    """The labels that only one of the losses leaves out: how often they come is not known there."""
    sides = [
        {loss["ignore_index"] for loss in side.fact("losses") if loss.get("ignore_index") is not None}
        for side in (one, other)
    ]
    return sides[0] ^ sides[1]


def _target(a: Row, b: Row, ignored: set[int]) -> str | None:
    counts = [_without(row["label_counts"], ignored) for row in (a, b)]
    if None not in counts and counts[0] != counts[1]:
        return f"the inputs are the same, the labels are not: counts {a['label_counts']} and {b['label_counts']}"
    for key in () if ignored else ("target_mean", "target_std", "target_min", "target_max"):
        if a[key] is not None and b[key] is not None and a[key] != b[key]:
            what = key.removeprefix("target_")
            return f"the inputs are the same, the targets are not: {what} {a[key]:.6g} and {b[key]:.6g}"
    return None


def _without(counts: Sequence[int] | None, ignored: set[int]) -> list[int] | None:
    return None if counts is None else [count for label, count in enumerate(counts) if label not in ignored]
