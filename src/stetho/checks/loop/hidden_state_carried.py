"""hidden-state-carried: the graph of the loss grows from step to step."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=("graph-kept-alive", "exploding-gradient", "vanishing-gradient", "loss-spike"))
def hidden_state_carried(window: Window, *, growth: float = 3.0) -> Finding | None:
    """The backward pass reaches back through earlier steps.

    ## What it finds
    The autograd graph of the loss grows in every look at it, by more than the factor `growth` over the run.

    ## Why it matters
    A state (of a recurrent network, a memory, a running sum) is carried from step to step without `detach()`. Each
    backward pass runs through the whole history: slower and slower, more and more memory, and gradients of old weights.

    ## What to try
    Detach the state between steps: `state = state.detach()`.

    ## When it is wrong
    A schedule that makes sequences or models longer step by step.
    """
    nodes = window.steps["graph_nodes"]
    known = np.isfinite(nodes)
    sizes = nodes[known]
    if len(sizes) < 4:
        raise Skip("the graph of the loss was counted in fewer than 4 steps")
    if not (np.diff(sizes) > 0).all() or sizes[-1] < growth * sizes[0]:
        return None
    steps = window.steps["step"][known]
    return window.finding(
        f"the graph of the loss grew from {sizes[0]:.0f} operations at step {steps[0]:.0f} to {sizes[-1]:.0f} "
        f"at step {steps[-1]:.0f}",
        where=window.at(window.line("backward")),
        steps=(int(steps[0]), int(steps[-1]), len(steps)),
        confidence=0.94,
        graph_nodes=sizes,
    )
