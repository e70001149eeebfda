"""graph-kept-alive: memory grows because graphs of old steps are held."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=("hidden-state-carried",))
def graph_kept_alive(window: Window, *, many: int = 20) -> Finding | None:
    """Graphs of earlier steps are kept alive.

    ## What it finds
    More than `many` autograd graphs of earlier steps that something still holds, and a number that only grows.

    ## Why it matters
    Each graph holds all activations of its step: memory grows until the program is killed. The usual cause is a
    loss or an output that is summed up or put into a list without `item()` or `detach()`.

    ## What to try
    Collect `loss.item()` or `loss.detach()` instead of `loss`.

    ## When it is wrong
    Programs that need graphs over many steps (unrolled optimisation) with steps of an inner optimizer in between.
    """
    alive = window.steps["graphs_alive"]
    known = alive[np.isfinite(alive)]
    if len(known) < 5:
        raise Skip("graphs were counted in fewer than 5 steps")
    # An epoch's worth of graphs is let go at its end: the number falls then, and grows again.
    if known.max() < many:
        return None
    grows = np.count_nonzero(np.diff(known) >= 0) / (len(known) - 1)
    if grows < 0.9:
        return None
    memory = window.steps["step"][np.isfinite(alive)]
    return window.finding(
        f"{known.max():.0f} graphs of earlier steps are still alive",
        where=window.at(_place(window)),
        steps=(int(memory[0]), int(memory[-1]), len(memory)),
        confidence=0.95,
        graphs_alive=known,
    )


def _place(window: Window) -> str | None:
    """Where the loss that goes backward is kept; or else where the model is called for nothing that goes backward."""
    backward = window.line("backward")
    kept = window.given(backward, "kept")
    return (window.line("unused forward") if kept == backward else None) or kept
