"""Inputs and targets that a program shuffles each in an order of its own, and a loss that finds nothing to learn."""

from stetho.checks.evidence.curve import standing
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def shuffled_apart(window: Window) -> Finding | None:
    """The text says that rows were parted, and the loss of the last steps is that of the first epochs."""
    line, level = window.line("shuffled apart"), standing(window)
    if line is None or level is None:
        return None
    early, late = level
    return window.finding(
        f"two arrays that go together are shuffled each by itself, and the loss stays at {late:.3g} after {early:.3g} "
        "early in the run: rows and labels no longer belong together",
        where=window.at(line),
        confidence=0.92,
        try_next="Draw one order and use it for both: order = torch.randperm(n); x, y = x[order], y[order].",
        loss=window.loss_series().values,
    )
