"""excessive-dropout: so much is dropped that nothing is left to learn from."""

from stetho.checks.declare import Skip, check
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("loss-plateau", "metric-not-following", "too-small-model", "stopped-early", "learning-rate-too-low",
              "collapsed-output", "divergence", "dead-relu", "misplaced-dropout", "vanishing-gradient"),
)  # fmt: skip
def excessive_dropout(window: Window, *, much: float = 0.75, most: float = 0.85) -> Finding | None:
    """Dropout with a very high rate.

    ## What it finds
    A dropout layer, in use during training, that drops `most` of its input or more; from `much` on a warning.

    ## Why it matters
    The next layer sees one value in ten, ten times too large, and another one each time: the noise is larger than the
    signal. In some frameworks the number means the share that is kept.

    ## What to try
    Use 0.1 to 0.5. A 0.9 that was meant as the share to keep is `p=0.1` here.

    ## When it is wrong
    Masking as the task itself, as in a denoising model.
    """
    layers = [layer for layer in window.layers if layer.is_kind("Dropout", "AlphaDropout", "FeatureAlphaDropout")]
    rates = {layer.name: layer.number("p") or 0.0 for layer in layers if layer.calls and window.is_trained(layer.model)}
    if not rates:
        raise Skip("there is no dropout")
    high = {name: rate for name, rate in rates.items() if rate >= much}
    if not high:
        return None
    layer = next(each for each in layers if each.name in high)
    rate = max(high.values())
    return window.finding(
        f"{layer.name} drops {rate:.0%} of its input; 1 value of {1 / max(1 - rate, 1e-3):.0f} is left",
        where=window.at(layer=layer),
        severity="error" if rate >= most else "warning",
        confidence=0.93 if rate >= most else 0.8,
        p=rate,
        layers=", ".join(high),
    )
