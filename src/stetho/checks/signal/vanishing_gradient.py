"""vanishing-gradient: what arrives at the first layers is next to nothing of what leaves the last."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import WeightAtDepth, weights_by_depth, weights_in_a_row
from stetho.checks.evidence.outcome import error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("loss-plateau", "learning-rate-too-low", "frozen-parameter", "collapsed-output", "stopped-early",
              "too-small-model", "metric-not-following", "activation-scale"),
)  # fmt: skip
def vanishing_gradient(window: Window, *, ratio: float = 1e-3, learnt: float = 0.25, layers: int = 4) -> Finding | None:
    """The gradient fades on its way to the first layers.

    ## What it finds
    In a model of at least `layers` weights, the gradient of the first ones is less than `ratio` times that of the
    last ones, falling from layer to layer, and the loss has fallen by less than the share `learnt`, or most of the
    error of a guess is left. If the loss falls all the same, it is a note.

    ## Why it matters
    Early layers stay at their random start, so the later ones get nothing useful to work with.

    ## What to try
    Use ReLU or a relative in place of sigmoid or tanh, an initialisation that fits it, normalisation layers, or
    residual connections.

    ## When it is wrong
    Models that have learnt all there is have small gradients everywhere, which is not a fall over depth.
    """
    chain = _chain(window)
    if len(chain) < layers:
        raise Skip(f"no model with {layers} weights in a row has measured gradients")
    if not _falls(chain, ratio):
        # The gradient may find its way late, when most of the run is lost.
        chain = _chain(window, until=0.3 * window.last_step)
        if (error_left(window) or 0.0) < 0.5 or len(chain) < layers or not _falls(chain, ratio):
            return None
    early, late, first, last = _ends(chain)
    curve = main_curve(window)
    is_learnt = curve.fall > learnt and (error_left(window) or 0.0) < 0.5
    layer = window.layer(chain[0].parameter.layer, chain[0].parameter.model)
    return window.finding(
        f"the gradient falls from {last:.1e} at {late[-1].parameter.name} to {first:.1e} at {early[0].parameter.name}, "
        f"over {len(chain)} layers",
        where=window.at(_squashing(window, chain), layer=layer, parameter=chain[0].parameter),
        severity="note" if is_learnt else None,
        confidence=0.9 if first < 1e-2 * ratio * last else 0.8,
        gradient_by_depth=[each.gradient for each in chain],
        steepest=_steepest(chain),
        loss=curve.series.values,
    )


def _chain(window: Window, until: float = float("inf")) -> list[WeightAtDepth]:
    found = weights_by_depth(window, until=until) or weights_in_a_row(window, until=until)
    return [each for each in found if np.isfinite(each.gradient)]


def _squashing(window: Window, chain: list[WeightAtDepth]) -> str | None:
    """Where the activation is chosen that flattens the signal, or else where a layer in the middle is used."""
    model = chain[0].parameter.model
    flat = [layer for layer in window.layers if layer.model == model and layer.is_kind("Sigmoid", "Tanh", "Softsign")]
    middle = chain[len(chain) // 2].layer
    if middle is None:
        return window.line("squashed") or chain[0].parameter.initialised
    return window.given(flat[0].line, "class") if flat else window.use_line(middle)


def _ends(chain: list[WeightAtDepth]) -> tuple[list[WeightAtDepth], list[WeightAtDepth], float, float]:
    """The first and the last third, and the usual gradient in each."""
    third = max(len(chain) // 3, 1)
    early, late = chain[:third], chain[-third:]
    first, last = (float(np.median([each.gradient for each in part])) for part in (early, late))
    return early, late, first, last


def _falls(chain: list[WeightAtDepth], ratio: float) -> bool:
    """Whether the gradient falls by more than the ratio on its way to the first layers, at most of them."""
    _, _, first, last = _ends(chain)
    rises = np.diff(np.log10([max(each.gradient, 1e-30) for each in chain]))
    return bool(last > 0 and first <= ratio * last and np.mean(rises > -0.1) >= 0.6)


def _steepest(chain: list[WeightAtDepth]) -> str:
    """Between which two weights most of the gradient is lost."""
    gradients = np.log10([max(each.gradient, 1e-30) for each in chain])
    place = int(np.argmax(np.diff(gradients)))
    return f"{chain[place + 1].parameter.name} to {chain[place].parameter.name}"
