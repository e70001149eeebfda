"""misplaced-dropout: dropout on the answer itself."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.ending import endings
from stetho.checks.evidence.outcome import error_left
from stetho.checks.mechanisms.dropped_features import dropped_features
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding, Where

MUCH_LEFT = 0.25


@check(
    severity="error",
    explains=("loss-plateau", "stopped-early", "initial-loss-off", "metric-not-following", "dead-relu",
              "overfitting", "divergence", "overflow", "loss-spike", "unreachable-target", "excessive-dropout"),
)  # fmt: skip
def misplaced_dropout(window: Window) -> Finding | None:
    """Dropout after the last layer.

    ## What it finds
    A model whose last operation is dropout, with the loss right behind it. Or dropout of more than a half right before
    batch norm, in a model that stays far from good: the norm learns a spread that there is in training alone. Or
    dropout of a half and more on the few features that a model is given, which stays far from good as well.

    ## Why it matters
    Parts of each answer are set to zero at random and the rest is scaled up: the loss is that of a wrong answer,
    whatever the model has learnt.

    ## What to try
    Move the dropout before the last linear layer.

    ## When it is wrong
    A model whose output is a hidden state for another one; there the loss is not right behind it. Models that give
    back their inputs, which are made incomplete on purpose, are left out.
    """
    elsewhere = _before_batch_norm(window) or dropped_features(window)
    if elsewhere is not None:
        return elsewhere
    judged = 0
    for graph, _loss, inside in endings(window):
        judged += 1
        layer = _dropout_at_end(window)
        if not inside or (inside[0].op != "NativeDropout" and (layer is None or inside[0].op != "Mul")):
            continue
        rate = layer.number("p") if layer is not None else None
        return window.finding(
            "the model ends in dropout" + (f" with p={rate:g}" if rate else "") + ", and the loss follows",
            where=_place(window, layer, graph.line),
            confidence=0.93,
            p=float("nan") if rate is None else rate,
            operations=", ".join(op.op for op in inside[:4]),
        )
    if not judged:
        raise Skip("no known loss is computed straight from a model's output")
    return None


def _place(window: Window, layer: Layer | None, loss: str | None) -> Where:
    """The layer itself, if this is all that it is used for; or the line that gives back the answer."""
    if layer is not None and not _is_shared(window, layer):
        return window.at(window.use_line(layer), layer=layer)
    return window.at(window.returns() or loss, layer=layer)


def _before_batch_norm(window: Window) -> Finding | None:
    """Dropout right before batch norm: the spread that the norm keeps for evaluation is that of the training only."""
    left = error_left(window)
    for edge in window.edges:
        layer, norm = window.layer(edge.source, edge.model), window.layer(edge.target, edge.model)
        is_pair = layer is not None and norm is not None and layer.is_kind("Dropout") and norm.is_kind("BatchNorm")
        rate = layer.number("p") if is_pair and layer is not None and not edge.ops else None
        if layer is None or rate is None or rate <= 0.5 or left is None or left < MUCH_LEFT:
            continue
        return window.finding(
            f"{layer.name} drops {rate:.0%} right before batch norm, and {left:.0%} of the error of a guess is left",
            where=window.at(layer=layer),
            severity="warning",
            confidence=0.8,
            try_next="Put the dropout behind the batch norm, or at the end before the last layer, and make it smaller.",
            p=rate,
        )
    return None


def _dropout_at_end(window: Window) -> Layer | None:
    """A dropout layer that feeds no other layer, or is used several times and feeds fewer layers than feed it."""
    feeding = [edge.source for edge in window.edges]
    fed = [edge.target for edge in window.edges]
    dropouts = [layer for layer in window.forward_order if layer.is_kind("Dropout") and (layer.number("p") or 0) > 0]
    for layer in dropouts:
        if layer.name not in feeding or (
            _is_shared(window, layer) and fed.count(layer.name) > feeding.count(layer.name)
        ):
            return layer
    return None


def _is_shared(window: Window, layer: Layer) -> bool:
    """Whether a layer is called several times in each pass: more often than what feeds it."""
    others = [each.calls for each in window.layers if each.model == layer.model and each.name and each.calls]
    return layer.calls >= 2 * min(others, default=0) > 0
