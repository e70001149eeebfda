"""Negatives that are drawn from the class of their anchor, as positives are, and a loss that stands."""

from stetho.checks.evidence.curve import standing
from stetho.checks.window import Window
from stetho.findings.finding import Finding


def drawn_alike(window: Window) -> Finding | None:
    """The text says that both are drawn from one group; where there is something to learn, the loss would fall."""
    line, level = window.line("drawn alike"), standing(window)
    if line is None or level is None:
        return None
    early, late = level
    return window.finding(
        f"negatives are drawn from the same group as positives, and the loss stays at {late:.3g} after {early:.3g} "
        "early in the run: to push one away is to push the other away, and all outputs the same is as good as any",
        where=window.at(line),
        severity="error",
        confidence=0.93,
        try_next="Draw negatives from the samples of other classes.",
        loss=window.loss_series().values,
    )
