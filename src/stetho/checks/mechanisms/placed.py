"""Answers that depend on the row that a sample has in its batch, and not on the other samples."""

from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.experiments import CLEAR, Experiment
from stetho.checks.evidence.outcome import error_left
from stetho.checks.mechanisms.mixing import are_samples
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def placed_in_experiment(window: Window, tried: Experiment, sequential: tuple[str, ...]) -> Finding | None:
    """Answers that change when only the order of the samples does, as with positions that are counted along the batch.

    Where samples are mixed, or random numbers are drawn for each row, another order changes answers as well.
    """
    is_placed = tried.placed is not None and tried.placed > CLEAR and not tried.is_mixed
    if not is_placed or tried.random > CLEAR or tried.state or not are_samples(window, tried, sequential):
        return None
    left = error_left(window)
    is_bad = left > 0.3 if left is not None else main_curve(window).fall < 0.5
    top = next((layer for layer in window.layers if not layer.name), None)
    return window.finding(
        f"the answers for {tried.samples} samples move by {tried.placed:.2g} of their spread when these only change "
        "their order in the batch: something is counted along the samples",
        where=window.at(window.line("row numbers") or (top.called if top is not None else None)),
        severity=None if is_bad else "note",
        confidence=0.92,
        try_next="Look for positions that are counted along the first dimension: `pe[:x.size(0)]` is for inputs whose "
        "first dimension is time; where that is the batch, take `x.size(1)` positions.",
        moved=float(tried.placed or 0.0),
    )
