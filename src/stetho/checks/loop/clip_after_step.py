"""clip-after-step: gradients are clipped when they have been used already."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import RUNNING_AWAY
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=RUNNING_AWAY)
def clip_after_step(window: Window, *, share: float = 0.9, least: int = 5) -> Finding | None:
    """Gradients are clipped after the step that uses them.

    ## What it finds
    In more than `share` of the steps (at `least` so many), clipping comes after the step and before the next backward
    pass.

    ## Why it matters
    The clipping has no effect: the step was taken with the full gradients.

    ## What to try
    Clip between `backward()` and `step()`.

    ## When it is wrong
    Gradients that are kept over several steps and clipped in between.
    """
    clipped = [order for order in window.orders if any(event.startswith("clip") for event in order)]
    if len(clipped) < least:
        raise Skip("no gradients are clipped")
    late = [order for order in clipped if _before_backward(order)]
    if len(late) < share * len(clipped):
        return None
    return window.finding(
        f"gradients were clipped after the step in {len(late)} of {len(clipped)} steps",
        where=window.at(window.line("clip")),
        confidence=0.97,
    )


def _before_backward(order: list[str]) -> bool:
    clip = next(index for index, event in enumerate(order) if event.startswith("clip"))
    return "backward" not in order[:clip] and "backward" in order
