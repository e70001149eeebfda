"""Layers that one optimizer trained, and that the next one, which trains on until the end, does not hold."""

import numpy as np

from stetho.checks.evidence.outcome import error_left
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FEWEST_STEPS = 30
MOST = 0.5
"""The last optimizer holds less than this share of what gets a gradient."""


def given_up(window: Window, wanted: list[Parameter], left: float = 0.5) -> Finding | None:
    """Most of what gets a gradient is held by an optimizer that has stopped, and the result is bad.

    To train a head alone is a good way to use features that fit. So only where at least the share `left` of the error
    of a guess remains, and where nothing says that it is meant: neither `requires_grad_(False)` nor a loss that reaches
    the head alone.
    """
    used = window.steps["optimizer"]
    if not len(used) or window.loads or not (error_left(window) or 0.0) > left:
        return None
    last = used[-1]
    before = np.flatnonzero(used != last)
    if not len(before) or len(used) - 1 - before[-1] < max(FEWEST_STEPS, 0.2 * len(used)) or last in used[: before[-1]]:
        return None
    held = [p for p in wanted if p.optimizer == last]
    lost = [p for p in wanted if p.optimizer in set(used[before]) and p.model in {each.model for each in held}]
    count, total = sum(p.count for p in lost), sum(p.count for p in (*held, *lost))
    if not held or not count > (1 - MOST) * total or not _is_meant_whole(window, held, lost):
        return None
    line = next((each.line for each in window.optimizers if each.id == last), None)
    return window.finding(
        f"{count:,} of {total:,} parameters that get a gradient are not held by the optimizer of the last "
        f"{len(used) - 1 - before[-1]} steps: {lost[0].name} and {len(lost) - 1} more stay as they are",
        where=window.at(line, parameter=lost[0]),
        severity="warning",
        confidence=0.8,
        missing_share=count / max(total, 1),
        missing=", ".join(p.name for p in lost[:8]),
        try_next="Give the second optimizer all parameters; if only the head shall be trained, freeze the rest with "
        "`requires_grad_(False)`.",
    )


def _is_meant_whole(window: Window, held: list[Parameter], lost: list[Parameter]) -> bool:
    """Whether each loss that reaches what is held reaches what is lost too."""
    heads, rest = ({p.name for p in some} for some in (held, lost))
    graphs = [set(graph.reached) for graph in window.loss_graphs if heads & set(graph.reached)]
    return bool(graphs) and all(rest & graph for graph in graphs)
