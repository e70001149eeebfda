"""badly-scaled-init: weights that make the signal grow or shrink by a large factor in every layer."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import WeightAtDepth, weights_by_depth
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.weights import NORMS, is_from_the_start
from stetho.checks.mechanisms.bare_weights import badly_scaled
from stetho.checks.run.facts import Edge
from stetho.checks.run.series import Series
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SCALES_BACK = {"Sin", "Cos", "Div", "NativeLayerNorm", "NativeBatchNorm", "LinalgVectorNorm", "Mul"}
FAINT, NOTHING_LEFT = 0.25, 1e-4


@check(
    severity="error",
    explains=("exploding-gradient", "vanishing-gradient", "saturated-activation", "dead-relu", "activation-scale",
              "initial-loss-off", "loss-plateau", "divergence", "overflow", "learning-rate-too-high",
              "learning-rate-too-low", "collapsed-output", "too-small-model", "stopped-early", "loss-spike",
              "metric-not-following", "overfitting", "excessive-weight-decay", "frozen-parameter"),
)  # fmt: skip
def badly_scaled_init(window: Window, *, large: float = 4.0, small: float = 0.06, layers: int = 2) -> Finding | None:
    """An initialisation that is far too large or far too small.

    ## What it finds
    At least `layers` weights, and at least half of those of a model, that scale a signal by more than `large` or
    less than `small` in the first step (size of the weight times the root of its inputs), with no normalisation
    behind them; or by less than a quarter each, so that together nothing is left, with a result near a guess. Of
    weights outside of layers twice as much is asked, and a loss that begins far too high or stays.

    ## Why it matters
    The factors multiply over the layers: activations and gradients explode or vanish before the first step, and the
    first predictions are either absurd or all the same.

    ## What to try
    Use `nn.init.kaiming_normal_` (ReLU) or `xavier_uniform_` (tanh), or leave the layer's own initialisation.

    ## When it is wrong
    Layers behind which the program itself scales: periodic activations, normalised outputs. Those that are followed
    by a multiplication or division are left out.
    """
    chain = [each for each in weights_by_depth(window) if np.isfinite(each.gain) and each.gain > 0]
    bare = badly_scaled(window, large, small, layers) if not window.loads else None
    if bare is not None:
        return bare
    if len(chain) < layers:
        raise Skip(f"no model has {layers} weights that were measured")
    if window.loads or not is_from_the_start(window, chain[0].parameter, _size(window, chain[0])):
        raise Skip("weights were loaded, or the first step was not measured")
    free = [each for each in chain if not _is_rescaled(window, each)]
    # A residual branch may begin as small as it likes: the signal goes past it.
    quiet = [one for one in free if one.gain < small and not _leads_to(window, one, {"Add"})]
    faint = [one for one in free if one.gain < FAINT and not _leads_to(window, one, {"Add"})]
    # Little by little as well nothing is left, if nothing comes of it.
    is_lost = np.prod([one.gain for one in faint]) < NOTHING_LEFT and (error_left(window) or 0.0) > 0.5
    is_lost = is_lost and _is_plain(window)
    for bad in ([one for one in free if one.gain > large], faint if is_lost else quiet):
        if len(bad) >= layers and len(bad) >= 0.5 * len(chain):
            gain = float(np.exp(np.mean(np.log([one.gain for one in bad]))))
            verb = "large" if gain > 1 else "small"
            return window.finding(
                f"{len(bad)} of {len(chain)} weights begin too {verb}: each scales its input by {gain:.2g}",
                where=window.at(bad[0].parameter.initialised, parameter=bad[0].parameter),
                steps=(1, 1, 1),
                confidence=0.92 if len(bad) > 2 or not small / 3 < gain < 2 * large else 0.85,
                gain_by_depth=[one.gain for one in chain],
                activation_by_depth=_activations(window, chain),
                loss=main_curve(window).series.values,
            )
    return None


def _size(window: Window, one: WeightAtDepth) -> Series | None:
    return window.parameter_stat("param.rms", one.parameter)


def _is_plain(window: Window) -> bool:
    """Whether a signal goes from layer to layer alone, with no way past them and nothing that lifts it again."""
    has_norm = any(layer.is_kind(*NORMS) for layer in window.layers)
    return not has_norm and not any("Add" in edge.ops for edge in window.edges)


def _is_rescaled(window: Window, one: WeightAtDepth) -> bool:
    """Whether what a layer gives is normalised or scaled by what comes next."""
    following = [window.layer(edge.target, edge.model) for edge in _edges_from(window, one)]
    is_norm = any(layer is not None and layer.is_kind(*NORMS) for layer in following)
    return is_norm or _leads_to(window, one, SCALES_BACK)


def _leads_to(window: Window, one: WeightAtDepth, ops: set[str]) -> bool:
    return any(ops & set(edge.ops) for edge in _edges_from(window, one))


def _edges_from(window: Window, one: WeightAtDepth) -> list[Edge]:
    """The ways on from a layer, also behind dropout."""
    layer = one.layer
    if layer is None:
        return []
    edges = [e for e in window.edges if (e.source, e.model) == (layer.name, layer.model)]
    dropped = {e.target for e in edges if (t := window.layer(e.target, e.model)) is not None and t.is_kind("Dropout")}
    return edges + [e for e in window.edges if e.source in dropped and e.model == layer.model]


def _activations(window: Window, chain: list[WeightAtDepth]) -> list[float]:
    series = [window.layer_stat("act.rms", one.layer) for one in chain if one.layer is not None]
    return [one.first for one in series if one is not None and len(one)]
