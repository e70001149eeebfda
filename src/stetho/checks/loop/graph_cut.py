"""graph-cut: layers that work in the forward pass get no gradient back."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.reached import holder_alone_is_reached, is_reached, reached_names
from stetho.checks.evidence.symptoms import NOT_LEARNING
from stetho.checks.mechanisms.drawn import drawn_without_gradient
from stetho.checks.mechanisms.moments import cut_between_moments
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DETACHED, DERIVATIVE = "(detached)", "derivative without graph"


@check(severity="error", explains=(*NOT_LEARNING, "posterior-collapse", "loss-terms-unbalanced"))
def graph_cut(window: Window) -> Finding | None:
    """The graph is cut between a layer and the loss.

    ## What it finds
    Trainable parameters that an optimizer holds, in layers that were called in training and stand before layers that do
    get a gradient, or in a module whose own parameters alone get one, and that never get one themselves. Or all of
    them: backward passes and steps, and no parameter that an optimizer holds ever has a gradient, as with a loss that
    was given `requires_grad` by hand. Or derivatives of a field (`torch.autograd.grad` with `retain_graph` and without
    `create_graph`) come into the loss as constants. Or a variational model draws its code with `sample`: the loss
    reaches the encoder through the divergence alone. Or the state of a layer that is called at every moment of a
    sequence is detached in the loop between two moments.

    ## Why it matters
    Something between these layers and the loss leaves the graph: `detach`, `.data`, numpy, `no_grad`, `argmax`, a new
    tensor made of values. Everything before it stays as it was initialised.

    ## What to try
    Look between the named layer and the next one for `detach()`, `.data`, `.numpy()`, `torch.tensor(...)`, `no_grad` or
    `argmax`, and keep the computation in tensors.

    ## When it is wrong
    A part that is frozen through `no_grad` although the optimizer holds it; freeze it with `requires_grad_(False)`.
    """
    if window.line(DERIVATIVE):
        return _derivative(window)
    reached = reached_names(window)
    if not reached:
        if _is_cut_off(window):
            return _whole(window)
        raise Skip("the graph of no loss was recorded")
    found = drawn_without_gradient(window) or cut_between_moments(window)
    if found is not None:
        return found
    cut = [p for p in window.parameters if p.trainable and p.optimizer is not None and _is_cut(window, p, reached)]
    places = {(layer.model, layer.name): index for index, layer in enumerate(window.layers)}
    ends_at = [places.get((p.model, p.layer), -1) for p in window.parameters if is_reached(p, reached)]
    last_reached = max(ends_at, default=-1)
    alone = [p for p in cut if holder_alone_is_reached(window, p, reached)]
    cut = [p for p in cut if places.get((p.model, p.layer), 1 << 30) < last_reached]
    # Behind a cut a layer takes a tensor without history. If none does, the output is not used, or by another model.
    ends = {edge.model for edge in window.edges if edge.source == DETACHED}
    connected = {p.model for p in window.parameters if is_reached(p, reached)}
    cut = [p for p in cut if p.model in ends or p.model not in connected] or alone
    if not cut:
        return None
    count, total = sum(p.count for p in cut), sum(p.count for p in window.parameters if p.trainable)
    layer, is_whole = window.layer(cut[-1].layer, cut[-1].model), cut[-1].model not in connected
    called = window.line("unused forward") if is_whole else layer.called if layer is not None else None
    return window.finding(
        f"{count:,} of {total:,} trainable parameters never get a gradient, up to {cut[-1].layer or cut[-1].name}",
        where=window.at((layer.cut if layer is not None else None) or called, layer=layer),
        confidence=0.95,
        cut_share=count / max(total, 1),
        parameters=", ".join(p.name for p in cut[:8]),
    )


def _is_cut_off(window: Window, least: int = 5) -> bool:
    """Whether the program does all that training takes, and no gradient comes to anything that is looked at."""
    steps = sum("backward" in order and "step" in order for order in window.orders)
    held = [p for p in window.parameters if p.trainable and p.optimizer is not None]
    looked = [p for p in held if (window.parameter_stat("update.absmax", p) or ()) and not _is_left_out(window, p)]
    return (
        steps >= least
        and len(looked) > 0
        and all(window.parameter_stat("grad.rms", p) is None for p in held)
        and not (np.nan_to_num(window.steps["grad_norm"]) != 0).any()
    )


def _whole(window: Window) -> Finding:
    count = sum(p.count for p in window.parameters if p.trainable)
    cut = window.line("rewrapped") or next((layer.cut for layer in reversed(window.layers) if layer.cut), None)
    return window.finding(
        f"none of {count:,} trainable parameters ever gets a gradient: the loss does not depend on them",
        where=window.at(cut or window.line("unused forward") or window.line("backward")),
        confidence=0.95,
        cut_share=1.0,
    )


def _derivative(window: Window) -> Finding:
    return window.finding(
        "derivatives with respect to inputs are taken without `create_graph`: in the loss they are constants",
        where=window.at(window.line(DERIVATIVE)),
        confidence=0.9,
        try_next="Pass `create_graph=True` to this call of `torch.autograd.grad`.",
    )


def _is_left_out(window: Window, parameter: Parameter) -> bool:
    """Whether its model has layers that are called and this one is not; bare parameters have none."""
    layer: Layer | None = window.layer(parameter.layer, parameter.model)
    return any(each.calls for each in window.layers if each.model == parameter.model) and not (
        layer is not None and layer.calls > 0
    )


def _is_cut(window: Window, parameter: Parameter, reached: set[str]) -> bool:
    if is_reached(parameter, reached) or window.parameter_stat("grad.rms", parameter) is not None:
        return False
    layer: Layer | None = window.layer(parameter.layer, parameter.model)
    return layer is not None and layer.calls > 0 and window.layer_stat("act.rms", layer, "train") is not None
