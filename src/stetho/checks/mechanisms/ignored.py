"""Classes that `ignore_index` takes out of the loss, though it was made for what is no class."""

import numpy as np

from stetho.checks.window import Window
from stetho.findings.finding import Finding

SEVERAL = 5
"""Marks that begin rows, and what fills them up from the left, are few tokens."""


def ignored_class(window: Window, least: float) -> Finding | None:
    """A class of the model that `ignore_index` takes out of the loss, where each sample has one label."""
    rows = window.batches("train")
    shares = 1 - rows["counted"] / np.maximum(rows["size"], 1)
    share = float(np.nanmedian(shares)) if np.isfinite(shares).any() else 0.0
    for loss in window.losses:
        left_out, shape = loss.ignore_index, loss.input_shape or ()
        if loss.phase != "train" or left_out is None or len(shape) != 2 or not 0 <= left_out < shape[1]:
            continue
        if shape[0] == rows["size"].max() and share >= least:
            return window.finding(
                f"class {left_out} is left out of the loss (ignore_index={left_out}): {share:.0%} of the labels",
                where=window.at(window.given(loss.place, "ignore_index")),
                confidence=0.9,
                try_next="Leave `ignore_index` at its default, or give it a number that is no class.",
                share=share,
            )
    return None


def ignored_inside(window: Window) -> Finding | None:
    """A class that `ignore_index` takes out of the loss, in the middle of rows."""
    tables = {layer.number("0") for layer in window.layers if layer.is_kind("Embedding")}
    for loss in window.losses:
        inside, share, overlap, before = (
            float(loss.settings.get(f"ignored_{name}") or 0.0)
            for name in ("inside", "inside_share", "overlap", "before")
        )
        classes = (*(loss.input_shape or ()), 0, 0)[1]
        # Tokens of the same table that are asked for where they are hidden: the others are left out on purpose.
        is_filled_in = any(rows is not None and classes <= rows <= classes + 2 for rows in tables)
        is_label = overlap > 0.1 or before >= SEVERAL
        if loss.phase == "train" and inside > 0.2 and is_label and not is_filled_in:
            return window.finding(
                f"class {loss.ignore_index} is left out of the loss (ignore_index={loss.ignore_index}): {share:.0%} of "
                f"the labels, between others in {inside:.0%} of the rows, so not padding alone",
                where=window.at(window.given(loss.place, "ignore_index")),
                confidence=0.9,
                try_next="Fill up the labels with a number that is no class, as -100, and set `ignore_index` to it.",
                share=share,
                rows=inside,
                overlap=overlap,
            )
    return None
