"""Returns that were summed up from the last reward to the first, and meet the choices in the opposite order."""

from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_STEPS = 10


def left_backwards(window: Window) -> Finding | None:
    """The text leaves returns in the order of their sum, and a loss multiplies them with the likelihood of choices."""
    line = window.line("left backwards")
    graph = next((each for each in window.loss_graphs if each.reward.get("name")), None)
    if line is None or graph is None or window.count < LEAST_STEPS:
        return None
    return window.finding(
        f"the returns in `{graph.reward['name']}` are summed up from the last reward to the first and never turned "
        "round: each choice meets the return of another moment",
        where=window.at(line),
        confidence=0.9,
        try_next="Turn them round when the loop is done: `returns.reverse()`, or `returns[::-1]`.",
        loss=window.loss_series().values,
    )
