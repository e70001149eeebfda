"""badly-scaled-init: weights that make the signal grow or shrink by a large factor in every layer."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.depth import WeightAtDepth, weights_by_depth
from stetho.checks.evidence.outcome import WELL, error_left
from stetho.checks.evidence.ways import count_in_a_row, is_plain, is_rescaled, leads_to
from stetho.checks.evidence.weights import is_from_the_start
from stetho.checks.mechanisms.bare_weights import badly_scaled
from stetho.checks.run.series import Series
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FAINT, NOTHING_LEFT, NOTHING_AT_ALL = 0.25, 1e-4, 1e-6
NEAR_A_GUESS = 0.5


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
    behind them; or by less than a quarter each, so that together nothing is left, with a result that is not good. Of
    weights outside of layers twice as much is asked, and a loss that begins far too high or stays. Weights side by
    side, which take the same input, count once: only what comes one behind the other multiplies.

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
    free = [each for each in chain if not is_rescaled(window, each)]
    # A residual branch may begin as small as it likes: the signal goes past it.
    quiet = [one for one in free if one.gain < small and not leads_to(window, one, {"Add"})]
    faint = [one for one in free if one.gain < FAINT and not leads_to(window, one, {"Add"})]
    # Little by little as well nothing is left, if nothing comes of it.
    is_lost = _is_lost(window, faint) and is_plain(window)
    for bad in ([one for one in free if one.gain > large], faint if is_lost else quiet):
        if count_in_a_row(window, bad) >= layers and len(bad) >= 0.5 * len(chain):
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


def _is_lost(window: Window, faint: list[WeightAtDepth]) -> bool:
    """Whether nothing comes through weights that are each a little small, and the model is not good in the end.

    Adam brings back what was nearly lost: where all of it was lost, a part of the error stays.
    """
    left, kept = error_left(window) or 0.0, float(np.prod([one.gain for one in faint]))
    return (kept < NOTHING_LEFT and left > NEAR_A_GUESS) or (kept < NOTHING_AT_ALL and left > WELL)


def _size(window: Window, one: WeightAtDepth) -> Series | None:
    return window.parameter_stat("param.rms", one.parameter)


def _activations(window: Window, chain: list[WeightAtDepth]) -> list[float]:
    series = [window.layer_stat("act.rms", one.layer) for one in chain if one.layer is not None]
    return [one.first for one in series if one is not None and len(one)]
