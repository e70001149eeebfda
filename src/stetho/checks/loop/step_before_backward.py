"""step-before-backward: the update comes before the gradients it should use."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING, RUNNING_AWAY
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error", explains=(*NOT_LEARNING, *RUNNING_AWAY, "gradients-not-zeroed", "gradients-zeroed-before-step")
)
def step_before_backward(window: Window, *, share: float = 0.9, least: int = 5) -> Finding | None:
    """The optimizer steps before the backward pass of its own batch.

    ## What it finds
    In more than `share` of the steps (at `least` so many), the backward pass of a forward pass comes after the step
    that followed it.

    ## Why it matters
    The step uses the gradients of the batch before, taken at other weights, or none if they were set to zero.

    ## What to try
    Order the loop as zero_grad, forward, backward, step.

    ## When it is wrong
    A program that delays its gradients by one step on purpose.
    """
    orders = window.orders
    if len(orders) < least:
        raise Skip(f"{len(orders)} steps, {least} are needed")
    late = [index for index, order in enumerate(orders) if index and _is_late(order)]
    if len(late) < share * (len(orders) - 1) or "backward" in orders[0]:
        return None
    steps = window.steps["step"][late]
    return window.finding(
        f"the step came before the backward pass of its batch in {len(late)} of {len(orders)} steps",
        where=window.at(window.line("step")),
        steps=(steps[0], steps[-1], len(steps)),
        confidence=0.98,
    )


def _is_late(order: list[str]) -> bool:
    """Whether a step uses the backward pass of the batch before, or throws it away; the first step has had none."""
    return _begins_with_backward(order) or order[-3:] == ["backward", "zero_grad", "step"]


def _begins_with_backward(order: list[str]) -> bool:
    passes = [event for event in order if event.startswith(("forward", "backward"))]
    return bool(passes) and passes[0] == "backward" and passes[-1].startswith("forward")
