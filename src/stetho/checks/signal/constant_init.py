"""constant-init: weights that begin with one value everywhere, so that all units are the same unit."""

from collections.abc import Container

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.curve import main_curve
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.weights import LOOKUPS, is_from_the_start, is_in, trained_weights
from stetho.checks.mechanisms.alike import units_stay_alike
from stetho.checks.mechanisms.bare_weights import bare_weights
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEARNS = 0.6


@check(
    severity="error",
    explains=("loss-plateau", "vanishing-gradient", "collapsed-output", "frozen-parameter", "dead-relu",
              "divergence", "overflow", "too-small-model", "initial-loss-off", "learning-rate-too-low",
              "stopped-early", "badly-scaled-init", "metric-not-following", "activation-scale",
              "saturated-activation", "exploding-gradient", "learning-rate-too-high", "loss-spike",
              "labels-independent-of-inputs"),
)  # fmt: skip
def constant_init(window: Window, *, share: float = 0.5) -> Finding | None:
    """Weights initialised to a constant.

    ## What it finds
    Weights of two or more dimensions whose elements are all equal in the first step. Zeros are reported only where
    they are more than the share `share` of the weights; any other constant always. Embeddings count if they are zero
    from the first step to the last.

    ## Why it matters
    Units with equal weights compute the same, get the same gradient and stay equal for ever: a layer of a hundred
    units works like one. With zeros in two layers that follow each other, no gradient flows at all.

    ## What to try
    Use the initialisation of the layer itself, or `nn.init.kaiming_normal_`; constants are for biases.

    ## When it is wrong
    Zeros in the last layer, at the end of a residual branch or in one half of a low-rank pair are good practice,
    and are left out, as is a model of a single layer. Matrices outside of layers may be anything, as the widths of
    clusters, and so may one beside another of its layer that has its shape, as the spread beside the mean of a weight
    that is drawn; they count where the loss hardly comes down, or where the units are seen to stay alike: a vector with
    a number for each unit was trained, and its numbers are one to the end.
    """
    weights = [p for p in trained_weights(window) if p.count > 1] + _empty_tables(window)
    if not weights:
        raise Skip("no weights were measured")
    constant = {p: value for p in weights if (value := _constant(window, p)) is not None}
    if main_curve(window).fall > LEARNS or ends_well(window):
        excused = [
            p for p in (*bare_weights(window), *_beside_others(weights, constant)) if not units_stay_alike(window, p)
        ]
        weights = [p for p in weights if p not in excused]
        constant = {p: value for p, value in constant.items() if p not in excused}
    others = {p: value for p, value in constant.items() if value != 0 and min(p.shape[:2]) > 1}
    too_many = len(constant) >= 2 and len(constant) > share * len(weights)
    if not others and not too_many:
        return None
    first, value = next(iter((others or constant).items()))
    return window.finding(
        f"all {first.count:,} elements of {first.name} begin at {value:.3g}; "
        f"{len(constant)} of {len(weights)} weights begin constant",
        where=window.at(first.initialised, parameter=first),
        steps=(1, int(window.steps["step"][-1]) if window.count else 1, window.count),
        severity=None if too_many else "warning",
        confidence=0.97 if too_many else 0.85,
        value=value,
        weights=", ".join(p.name for p in constant),
    )


def _beside_others(weights: list[Parameter], constant: Container[Parameter]) -> list[Parameter]:
    """Weights beside others of their layer and shape that differ, as widths beside means: units differ by those."""
    differing = {(p.model, p.layer, p.shape) for p in weights if p not in constant}
    return [p for p in weights if p in constant and (p.model, p.layer, p.shape) in differing]


def _empty_tables(window: Window) -> list[Parameter]:
    """Embeddings that stay at zero, two of them or more: each multiplies the gradient of the other with nothing."""
    wide = [p for p in trained_weights(window, tables=True) if is_in(window, p, *LOOKUPS) and p.shape[1] > 1]
    ends = {p: [window.parameter_stat(stat, p) for stat in ("param.min", "param.max")] for p in wide}
    empty = [p for p in wide if all(one is not None and len(one) > 1 and one.last == 0 for one in ends[p])]
    return empty if len(empty) > 1 else []


def _constant(window: Window, parameter: Parameter) -> float | None:
    """The value that all elements have in the first step; None if they differ or it was not measured."""
    low, high = (window.parameter_stat(stat, parameter) for stat in ("param.min", "param.max"))
    if low is None or high is None or not is_from_the_start(window, parameter, low):
        return None
    return low.first if low.first == high.first else None
