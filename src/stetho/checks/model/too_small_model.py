"""too-small-model: the training loss stands still far from zero, and the layers are very narrow."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.compared import CLASSES, REGRESSION
from stetho.checks.evidence.curve import Curve, is_adversarial, main_curve
from stetho.checks.evidence.depth import following, weighted_layers
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.weights import outputs_of, weight_of
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

CLASSIFIERS = ("cross_entropy", "nll_loss", "binary_cross_entropy_with_logits", "binary_cross_entropy")
FEW_UNITS = 4


@check(severity="warning", explains=("loss-plateau",), needs_end=True)
def too_small_model(window: Window, *, narrow: float = 0.34, high: float = 0.25, least: int = 150) -> Finding | None:
    """A model that cannot fit its training data.

    ## What it finds
    A classifier with a hidden layer narrower than the share `narrow` of its classes and of its inputs, whose training
    loss stands still (after at `least` so many steps) above the share `high` of its start. Or a single linear layer
    that does no better than a guess. Or a regression with at most four units in each hidden layer that stands still
    with nearly half of the error of a guess.

    ## Why it matters
    More data or more steps do not help: the answer does not fit into the model.

    ## What to try
    Make the narrow layer wider than the number of classes, and add a layer.

    ## When it is wrong
    Noise in the labels also keeps the loss up; a code that is narrow on purpose as well.
    """
    curve = main_curve(window)
    is_classifier = any(loss.call in CLASSIFIERS for loss in window.losses)
    if curve.count < least or is_adversarial(window):
        raise Skip(f"no classifier or regression was trained for {least} steps")
    layers = [layer for layer in weighted_layers(window) if weight_of(window, layer) is not None]
    weights = [weight for layer in layers if (weight := weight_of(window, layer)) is not None]
    if not is_classifier:
        return _few_units(window, curve, [weight for weight in weights if weight is not weights[-1]])
    if len(weights) == 1 and weights[0].count == sum(p.count for p in window.parameters if len(p.shape) > 1):
        linear = _single_layer(window, curve, weights[0])
        if linear is not None:
            return linear
    hidden = [weight for layer, weight in zip(layers, weights, strict=True) if _is_passage(window, layer)]
    if not hidden:
        raise Skip("no model has a hidden layer")
    inputs, outputs = int(np.prod(weights[0].shape[1:])), outputs_of(window, weights[-1])
    slim = min(hidden, key=lambda weight: weight.shape[0])
    quarter = curve.levels[-max(len(curve.levels) // 4, 2) :]
    is_still = quarter.max() - quarter.min() < 0.1 * curve.start and curve.end > high * curve.start
    # Many outputs under a binary loss are a reconstruction more often than not, and its code is narrow on purpose.
    has_classes = outputs >= 3 and any(loss.call in CLASSES for loss in window.losses)
    if not has_classes or slim.shape[0] > narrow * min(inputs, outputs) or not is_still or curve.fall < 0.02:
        return None
    return window.finding(
        f"{slim.layer} is {slim.shape[0]} wide for {outputs} outputs; the loss stands at {curve.end:.3g} "
        f"of {curve.start:.3g}",
        where=window.at(_width(window, slim), parameter=slim),
        confidence=0.75,
        widths=[float(weight.shape[0]) for weight in weights],
        loss=curve.series.values,
    )


def _single_layer(window: Window, curve: Curve, weight: Parameter) -> Finding | None:
    """A linear model that is no better than a guess after hundreds of steps that move it."""
    ratios = window.parameter_stat("update.ratio", weight)
    moves = ratios is not None and len(ratios) > 0 and ratios.median() > 1e-4
    if curve.count < 300 or not moves or not -0.05 < curve.fall < 0.05 or weight.shape[1] > 64:
        return None
    return window.finding(
        f"the model is one linear layer, {weight.shape[1]} to {weight.shape[0]}; the loss stands at {curve.end:.3g} "
        f"of {curve.start:.3g} after {curve.count} steps",
        where=window.at(parameter=weight),
        confidence=0.7,
        loss=curve.series.values,
    )


def _few_units(window: Window, curve: Curve, hidden: list[Parameter]) -> Finding | None:
    """A regression with a handful of units in each hidden layer that stands still, far from its targets."""
    left, total = error_left(window), sum(p.count for p in window.parameters)
    if not hidden or left is None or not any(loss.call in REGRESSION for loss in window.losses):
        raise Skip("no classifier, and no regression with hidden layers whose error is known")
    half = curve.levels[len(curve.levels) // 2 :]
    is_still = curve.count >= 300 and half.max() - half.min() < 0.15 * half.mean()
    widest = max(weight.shape[0] for weight in hidden)
    if widest > FEW_UNITS or total > 100 or not 0.4 < left < 0.98 or not is_still:
        return None
    return window.finding(
        f"no hidden layer is wider than {widest}; {left:.0%} of the error of a guess is left, and the loss stands",
        where=window.at(_width(window, hidden[0]), parameter=hidden[0]),
        confidence=0.7,
        widths=[float(weight.shape[0]) for weight in hidden],
        loss=curve.series.values,
    )


def _is_passage(window: Window, layer: Layer) -> bool:
    """Whether the next layers take the output of a layer as it is, and not as a weight beside something else."""
    weight = weight_of(window, layer)
    targets = [weight_of(window, target) for target in following(window, layer)]
    return weight is not None and any(
        target is not None and len(target.shape) > 1 and target.shape[1] == weight.shape[0] for target in targets
    )


def _width(window: Window, weight: Parameter) -> str | None:
    """Where the width of a layer is written."""
    return window.width_line(window.layer(weight.layer, weight.model))
