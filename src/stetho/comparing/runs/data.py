"""Whether two runs were fed the same: batches by their content, inputs and targets by their moments."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Any, Literal

from stetho.comparing.runs.recorded import Recorded

Kind = Literal["same", "unknown", "order", "scaled", "shape", "dtype", "targets", "other"]
CLOSE = 1e-5


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
    mine, theirs = _by_step(one), _by_step(other)
    common = [key for key in mine if key in theirs]
    if not common:
        return Data("unknown", None, "no batch was recorded in both runs", 0)
    for number, key in enumerate(common):
        a, b = mine[key], theirs[key]
        if a["hash"] != b["hash"] or a["shape"] != b["shape"] or a["dtype"] != b["dtype"]:
            kind, sentence = _kind(a, b, mine, theirs)
            return Data(kind, key[0], sentence, number + 1)
        target = _target(a, b)
        if target:
            return Data("targets", key[0], target, number + 1)
    if all(mine[key]["hash"] is None for key in common):
        return Data("unknown", None, "the inputs are no plain tensors, so their content was not recorded", len(common))
    return Data("same", None, f"the same {len(common):,} batches in both runs", len(common))


def _by_step(side: Recorded) -> dict[tuple[int, int, int], dict[str, Any]]:
    """The training batches by step, model, and place among those of one step."""
    rows: dict[tuple[int, int, int], dict[str, Any]] = {}
    for row in side.batches:
        number = 0
        while (row["step"], row["model"], number) in rows:
            number += 1
        rows[row["step"], row["model"], number] = row
    return rows


def _kind(
    a: Mapping[str, Any], b: Mapping[str, Any], mine: Mapping[Any, Any], theirs: Mapping[Any, Any]
) -> tuple[Kind, str]:
    if a["shape"] != b["shape"]:
        return "shape", f"the batches have shapes {a['shape']} and {b['shape']}"
    if a["dtype"] != b["dtype"]:
        return "dtype", f"the inputs are {a['dtype']} and {b['dtype']}"
    later = [[row for row in rows.values() if row["step"] >= a["step"]] for rows in (mine, theirs)]
    seen = [{sample for row in rows for sample in row["samples"] or [row["hash"]]} for rows in later]
    shared = len(seen[0] & seen[1]) / max(min(len(seen[0]), len(seen[1])), 1)
    if shared > 0.1:
        return "order", f"the same samples come in another order ({shared:.0%} of those seen are in both runs)"
    scale = _scale(a, b)
    if scale:
        return "scaled", scale
    return "other", f"other inputs: {_moments(a)} and {_moments(b)}"


def _scale(a: Mapping[str, Any], b: Mapping[str, Any]) -> str | None:
    """Whether the inputs of one side are those of the other, multiplied and shifted."""
    keys = ("mean", "std", "min", "max")
    if any(row[key] is None for row in (a, b) for key in keys) or not a["std"] or not b["std"]:
        return None
    factor = b["std"] / a["std"]
    shift = b["mean"] - factor * a["mean"]
    reach = max(abs(b["min"]), abs(b["max"]))
    if any(abs(factor * a[key] + shift - b[key]) > 1e-3 * reach for key in ("min", "max")):
        return None
    if isclose(factor, 1, rel_tol=CLOSE) and abs(shift) <= CLOSE * reach:
        return "the inputs have the same moments, and other values or another order inside"
    words = [f"multiplied by {factor:.4g}"] if not isclose(factor, 1, rel_tol=CLOSE) else []
    words += [f"shifted by {shift:.4g}"] if abs(shift) > 1e-3 * reach else []
    return f"the inputs of the second run are those of the first, {' and '.join(words)}"


def _moments(row: Mapping[str, Any]) -> str:
    if row["mean"] is None:
        return "moments not recorded"
    return f"mean {row['mean']:.4g} std {row['std']:.4g}"


def _target(a: Mapping[str, Any], b: Mapping[str, Any]) -> str | None:
    if a["label_counts"] is not None and b["label_counts"] is not None and a["label_counts"] != b["label_counts"]:
        return f"the inputs are the same, the labels are not: counts {a['label_counts']} and {b['label_counts']}"
    for key in ("target_mean", "target_std", "target_min", "target_max"):
        if a[key] is not None and b[key] is not None and a[key] != b[key]:
            what = key.removeprefix("target_")
            return f"the inputs are the same, the targets are not: {what} {a[key]:.6g} and {b[key]:.6g}"
    return None
