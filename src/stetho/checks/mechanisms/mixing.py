"""Samples that an experiment with a copy of the model showed to be mixed."""

import numpy as np

from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.experiments import CLEAR, Experiment
from stetho.checks.evidence.outcome import error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def mixed_in_experiment(window: Window, tried: Experiment, sequential: tuple[str, ...]) -> Finding | None:
    """Samples whose answers move with the others, unless they may belong together; `sequential` layers read rows."""
    if not tried.is_mixed or not are_samples(window, tried, sequential):
        return None
    left = error_left(window)
    is_bad = left > 0.3 if left is not None else main_curve(window).fall < 0.5
    top = next((layer for layer in window.layers if not layer.name), None)
    return window.finding(
        f"the answers for {tried.samples - tried.samples // 2} samples move by {tried.others:.2g} of their spread when "
        "only the other samples of the batch change",
        where=window.at(top.called if top is not None else None),
        severity=None if is_bad else "note",
        confidence=0.92,
        try_next="Look for means, views, softmax or attention over the first dimension inside of the model.",
        moved=tried.others,
    )


def are_samples(window: Window, tried: Experiment, sequential: tuple[str, ...]) -> bool:
    """Whether the rows that an experiment was made with are samples which have nothing to do with each other."""
    rows = window.batches("train")
    shapes = [tuple(map(int, shape)) for shape in rows["shape"] if shape is not None]
    hashes = rows["hash"][np.isfinite(rows["hash"].astype(np.float64))] if rows.count else rows["hash"]
    # All of one graph in each step is no batch of samples; nor is one long sequence.
    is_whole = len(np.unique(hashes)) <= 1 or not shapes
    is_sequence = bool(shapes) and len(shapes[0]) == 2 and window.has(*sequential) and str(rows["dtype"][0])[0] == "f"
    targets = [loss.target_shape for loss in window.losses if loss.phase == "train" and loss.target_shape]
    has_rows = any(target[0] == tried.samples for target in targets) or not targets
    # Of targets for each step of each sample, it is not known which axis is which, if only one of them is independent.
    is_open = tried.others_along_second is not None and tried.others_along_second <= CLEAR
    own_statistics = any(layer.setting("track_running_stats") == "False" for layer in window.layers)
    return tried.aligned and has_rows and not (is_whole or is_sequence or is_open or own_statistics)
