"""excessive-dropout: so much is dropped that nothing is left to learn from."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.depth import late
from stetho.checks.run.facts import Edge, Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DROPOUT_OPS = {"NativeDropout", "Mul"}
"""What the function leaves in the graph; on a processor it is a plain product with the mask."""


@check(
    severity="error",
    explains=("loss-plateau", "metric-not-following", "too-small-model", "stopped-early", "learning-rate-too-low",
              "collapsed-output", "divergence", "overflow", "dead-relu", "vanishing-gradient"),
)  # fmt: skip
def excessive_dropout(window: Window, *, much: float = 0.75, most: float = 0.85) -> Finding | None:
    """Dropout with a very high rate.

    ## What it finds
    A dropout layer, in use during training, that drops `most` of its input or more; from `much` on a warning. Of
    dropout as a function the rate is not recorded: it is estimated from how much larger the next layer's output is
    in training than in evaluation.

    ## Why it matters
    The next layer sees one value in ten, ten times too large, and another one each time: the noise is larger than the
    signal. In some frameworks the number means the share that is kept.

    ## What to try
    Use 0.1 to 0.5. A 0.9 that was meant as the share to keep is `p=0.1` here.

    ## When it is wrong
    Masking as the task itself, as in a denoising model.
    """
    layers = [layer for layer in window.layers if layer.is_kind("Dropout", "AlphaDropout", "FeatureAlphaDropout")]
    used = [layer for layer in layers if layer.calls and window.is_trained(layer.model)]
    rates: list[tuple[Layer, float]] = [(layer, layer.number("p") or 0.0) for layer in used]
    rates += [(target, rate) for edge in window.edges for target, rate in _estimated(window, edge)]
    if not rates:
        raise Skip("there is no dropout")
    high = [(layer, rate) for layer, rate in rates if rate >= much]
    if not high:
        return None
    layer, rate = max(high, key=lambda each: each[1])
    subject = f"{layer.name} drops" if layer in used else f"dropout before {layer.name} drops about"
    return window.finding(
        f"{subject} {rate:.0%} of its input; 1 value of {1 / max(1 - rate, 1e-3):.0f} is left",
        where=window.at(window.given(layer.line, "p", rate) if layer in used else None, layer=layer),
        severity="error" if rate >= most else "warning",
        confidence=0.93 if layer in used and rate >= most else 0.8,
        p=rate,
        layers=", ".join(each.name for each, _ in high),
    )


def _estimated(window: Window, edge: Edge) -> list[tuple[Layer, float]]:
    """The rate of a dropout function between two layers: what is left over is scaled up, and so is its noise."""
    source, target = window.layer(edge.source, edge.model), window.layer(edge.target, edge.model)
    if source is None or target is None or not DROPOUT_OPS & set(edge.ops[-1:]) or window.has("BatchNorm"):
        return []
    dropped = late(window.layer_stat("act_grad.zero_share", source))
    training, evaluation = (late(window.layer_stat("act.std", target, phase)) for phase in ("train", "eval"))
    # A gate is a product as well, but it lets a gradient through.
    if not len(dropped) or dropped.mean() < 0.7 or not len(training) or not len(evaluation) or evaluation.mean() <= 0:
        return []
    return [(target, max(1 - float(evaluation.mean() / training.mean()) ** 2, 0.0))]
