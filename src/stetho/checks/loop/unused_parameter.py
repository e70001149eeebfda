"""unused-parameter: parameters that are there, trained by nobody's gradient."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.reached import is_reached, reached_names
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

OF_CALLED = (
    "Bring what the layer gives into the loss, without `.item()`, `.detach()`, `.data` or numpy on the way, "
    "or delete the layer."
)
FEW_STEPS = 3
"""In fewer, as in a dry run, a layer that only some data reach may not have had its turn."""


@check(severity="note", explains=("frozen-parameter", "labels-independent-of-inputs"), needs_end=True)
def unused_parameter(window: Window) -> Finding | None:
    """Parameters that the loss does not depend on.

    ## What it finds
    Trainable parameters that an optimizer holds and that never get a gradient: their layer is never called, or what it
    computes does not enter the loss. A warning where the program itself makes the layer, a note in ready-made models
    and, of a layer that is not called, after a step or two.

    ## Why it matters
    A part of the model that was meant to work is not connected. At best it costs memory.

    ## What to try
    Use the layer in `forward`, or delete it. Of a layer that is called, bring what it gives into the loss, without
    `.item()`, `.detach()`, `.data` or numpy on the way.

    ## When it is wrong
    Ready-made models often carry a part that a task does not use (a pooler, a second head). In a dry run, a layer that
    only some data reach may not have had its turn.
    """
    reached = reached_names(window)
    if not reached:
        raise Skip("the graph of no loss was recorded")
    models = {p.model for p in window.parameters if is_reached(p, reached)}
    held = [p for p in window.parameters if p.trainable and p.optimizer is not None and p.model in models]
    unused = [p for p in held if not is_reached(p, reached) and window.parameter_stat("grad.rms", p) is None]
    if not unused:
        return None
    count, total = sum(p.count for p in unused), sum(p.count for p in held)
    layer = window.layer(unused[0].layer, unused[0].model)
    is_called = layer is not None and layer.calls > 0
    is_early = layer is not None and not is_called and window.count < FEW_STEPS
    verb = "not connected to the loss" if is_called or layer is None else "never called"
    if is_early:
        seen = "step that was" if window.count == 1 else "steps that were"
        verb = f"not called in the {seen} seen, and may be for other data"
    return window.finding(
        f"{count:,} of {total:,} parameters get no gradient: {unused[0].name} is {verb}",
        where=window.at(layer.cut if layer is not None else None, parameter=unused[0]),
        severity="warning" if _is_own(window, layer) and not is_early else "note",
        confidence=0.5 if is_early else 0.9,
        try_next=OF_CALLED if is_called else "",
        unused_share=count / max(total, 1),
        parameters=", ".join(p.name for p in unused[:8]),
    )


def _is_own(window: Window, layer: Layer | None) -> bool:
    """Whether the program's own code makes the layer: one of a ready-made model is made where the model is."""
    model = next((each for each in window.models if layer is not None and each.id == layer.model), None)
    return layer is not None and model is not None and layer.constructed not in (None, model.line)
