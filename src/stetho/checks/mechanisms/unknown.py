"""Tokens that the vocabulary knows in training, and does not know in evaluation: they were cut in another way."""

import numpy as np

from stetho.checks.evidence.inputs import data_line, feeds_itself
from stetho.checks.evidence.outcome import error_left
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding

RARE, MANY = 0.02, 0.5
"""Rows of one length in training and of many in evaluation are filled up there, but hardly for the larger part."""
LEAST_TOKENS = 200
LEFT = 0.2


def unknown_tokens(window: Window, model: int) -> Finding | None:
    """The first id of a vocabulary, hardly there in training, makes a large part of what is evaluated, badly."""
    train, other = (_ids(window.batches(phase, model)) for phase in ("train", "eval"))
    left = error_left(window)
    if any(layer.number("padding_idx") == 0 for layer in window.layers if layer.is_kind("Embedding")):
        return None
    if not train.count or not other.count or feeds_itself(other) or left is None or left < LEFT:
        return None
    before, now = _first_id(train), _first_id(other)
    if before is None or now is None or before > RARE or now < MANY:
        return None
    return window.finding(
        f"id 0 makes {now:.0%} of the tokens in evaluation and {before:.1%} in training: the vocabulary does not know "
        "them",
        where=window.at(window.line("evaluation data") or window.given(data_line(window, model, "eval"), "dataset")),
        confidence=0.85,
        try_next="Cut and clean texts of both in one function, and look up what it gives in one vocabulary.",
        train_share=before,
        eval_share=now,
    )


def _ids(rows: Table) -> Table:
    kinds = np.array([str(dtype) in ("int64", "int32") for dtype in rows["dtype"]], bool)
    sized = np.array([shape is not None for shape in rows["shape"]], bool)
    return rows.where(kinds & sized & np.isfinite(rows["zeros"]))


def _first_id(rows: Table) -> float | None:
    """The share of zeros; None where too little was seen."""
    total = float(sum(np.prod(shape) for shape in rows["shape"]))
    return float(rows["zeros"].sum() / total) if total >= LEAST_TOKENS else None
