"""hidden-state-carried: a state goes from step to step, with its graph or into batches that do not continue it."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.experiments import experiment
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.redrawn import never_come_again
from stetho.checks.mechanisms.company import batches_are_unrelated
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("graph-kept-alive", "exploding-gradient", "vanishing-gradient", "loss-spike", "loss-plateau",
              "stopped-early", "overfitting", "evaluation-at-chance"),
)  # fmt: skip
def hidden_state_carried(window: Window, *, growth: float = 3.0, share: float = 0.5) -> Finding | None:
    """A state is carried from one training step to the next.

    ## What it finds
    The autograd graph of the loss grows in every look at it, by more than the factor `growth` over the run. Or a
    recurrent layer begins more than the `share` of the steps with the state that it ended the last one with, while
    batches are shuffled. Or a copy of the model, called twice with the same input, gives two answers.

    ## Why it matters
    Without `detach()`, each backward pass runs through the whole history: slower and slower, more and more memory, and
    gradients of old weights. With it, a sequence still begins with what is left of another one.

    ## What to try
    Detach the state between steps, and begin with a fresh one wherever a batch does not continue the last one.

    ## When it is wrong
    A schedule that makes sequences or models longer step by step.
    """
    return _by_hand(window) or _with_its_graph(window, growth) or _into_others(window, share)


def _by_hand(window: Window) -> Finding | None:
    """A state that the model itself keeps from call to call."""
    tried = experiment(window)
    if not tried.is_stateful or not (batches_are_unrelated(window) or never_come_again(window, window.batches())):
        return None
    top = next((layer for layer in window.layers if not layer.name), None)
    names = f" (kept: {', '.join(tried.state[:3])})" if tried.state else ""
    return window.finding(
        f"the same input gives another answer the second time, by {tried.repeated:.2g} of the spread of the answers"
        f"{names}: a state is carried from batch to batch, and batches do not continue each other",
        where=window.at(window.given(top.called, "carried") if top is not None else None),
        severity="note" if ends_well(window) else None,
        confidence=0.9,
        apart=tried.repeated,
    )


def _into_others(window: Window, share: float) -> Finding | None:
    known = [layer for layer in window.layers if layer.begun >= 3 and layer.carried > share * layer.begun]
    if not known or not batches_are_unrelated(window):
        return None
    layer = known[0]
    call = next((each.called for each in window.layers if not each.name and each.model == layer.model), None)
    return window.finding(
        f"{layer.name or layer.kind} begins {layer.carried} of {layer.begun} steps with the state of the step before, "
        "but batches are shuffled: it is that of other sequences",
        where=window.at(window.given(call, "carried") or layer.called, layer=layer),
        severity="warning" if ends_well(window) else "error",
        confidence=0.93,
        carried=layer.carried,
        steps_seen=layer.begun,
    )


def _with_its_graph(window: Window, growth: float) -> Finding | None:
    nodes = window.steps["graph_nodes"]
    known = np.isfinite(nodes)
    sizes = nodes[known]
    if len(sizes) < 4 and not any(layer.begun for layer in window.layers):
        raise Skip("the graph of the loss was counted in fewer than 4 steps")
    if len(sizes) < 4 or not (np.diff(sizes) > 0).all() or sizes[-1] < growth * sizes[0]:
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
