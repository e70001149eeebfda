"""exploding-gradient: finite gradients that grow from layer to layer, or from step to step."""

import numpy as np

from stetho.checks.curve import main_curve
from stetho.checks.declare import Skip, check
from stetho.checks.depth import weighted_layers
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("divergence", "loss-spike", "learning-rate-too-high", "dead-relu", "loss-plateau", "loss-scale-collapse",
              "collapsed-output", "activation-scale", "metric-not-following", "saturated-activation"),
)  # fmt: skip
def exploding_gradient(
    window: Window, *, depth: float = 100.0, size: float = 100.0, growth: float = 1e3
) -> Finding | None:
    """The gradient grows out of all proportion.

    ## What it finds
    Gradients at the first layers more than `depth` times those at the last, growing layer by layer; together with a
    gradient norm above `size`, or one that grows by more than `growth` over its level in the first steps.

    ## Why it matters
    Every step is thrown by the largest gradient; the next overflow is near.

    ## What to try
    Clip the gradient norm, use an initialisation of a smaller scale, normalisation layers, or fewer steps through
    time.

    ## When it is wrong
    Losses that are sums over many elements have large gradients that are harmless; they are large in all layers alike.
    """
    norms = window.steps["grad_norm"]
    finite = norms[np.isfinite(norms)]
    if len(finite) < 5:
        raise Skip("gradient norms were not measured")
    series = {layer.name: window.layer_stat("act_grad.rms", layer) for layer in weighted_layers(window)}
    sizes = {name: one.median() for name, one in series.items() if one is not None and one.median() > 0}
    chain = list(sizes.values())
    over_depth = chain[0] / chain[-1] if len(chain) >= 4 else 1.0
    is_deep = over_depth > depth and np.mean(np.diff(chain) < 0) > 0.7 and float(np.median(finite)) > size
    start = float(np.median(finite[:5]))
    over_time = float(np.max(finite)) / max(start, 1e-30)
    is_growing = over_time > growth and np.max(finite) > size and np.median(finite[-5:]) > 10 * start
    if not is_deep and not is_growing:
        return None
    name = next(iter(sizes), None)
    what = f"{over_depth:.2g} times over {len(chain)} layers" if is_deep else f"{over_time:.2g} times over the steps"
    return window.finding(
        f"gradients grow {what}, to a norm of {np.max(finite):.2g}",
        where=window.at(layer=window.layer(name) if is_deep and name else None),
        confidence=0.8,
        grad_norm=norms,
        gradient_by_depth=chain,
        loss=main_curve(window).series.values,
    )
