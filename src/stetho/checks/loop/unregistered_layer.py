"""unregistered-layer: a layer works in the model without belonging to it."""

from stetho.checks.declare import check
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=(*NOT_LEARNING, "initial-loss-off", "optimizer-missing-parameters"))
def unregistered_layer(window: Window) -> Finding | None:
    """A layer is called inside of a model that does not know it.

    ## What it finds
    Modules with parameters that a model calls in training although they are not among its `named_modules()`: kept
    in a plain list or dict, or made anew in `forward`.

    ## Why it matters
    `model.parameters()` does not yield their parameters: the optimizer never gets them, `to(device)` does not move
    them, and they are not saved. A layer made in `forward` is random in each step.

    ## What to try
    Keep layers in `nn.ModuleList` or `nn.ModuleDict`, or as attributes made in `__init__`.

    ## When it is wrong
    A frozen helper that is hidden in a list on purpose; it is left out when no gradient comes back through it.
    """
    strangers = [
        layer
        for layer in window.layers
        if not layer.registered and layer.parameters and layer.calls and window.layer_stat("act_grad.rms", layer)
    ]
    if not strangers:
        return None
    first = strangers[0]
    count = sum(layer.parameters for layer in strangers)
    return window.finding(
        f"{len(strangers)} layer{'s' if len(strangers) > 1 else ''} with {count:,} parameters called in the model but "
        f"not registered in it: {first.kind}",
        where=window.at(window.given(first.line, "held"), layer=first),
        confidence=0.98,
        layers=", ".join(layer.name for layer in strangers[:8]),
        parameters=count,
    )
