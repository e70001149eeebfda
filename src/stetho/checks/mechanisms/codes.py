"""Codes of models that give back their own input: the narrow layer between an encoder and its decoder."""

from collections.abc import Iterator

from stetho.checks.evidence.compared import REGRESSION
from stetho.checks.evidence.curve import is_adversarial, main_curve
from stetho.checks.evidence.depth import following, weighted_layers
from stetho.checks.evidence.inputs import OUTSIDE
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.weights import weight_of
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window

LEAST = 150
MUCH_LEFT = 0.2
Pair = tuple[Parameter, Parameter]


def neighbours(window: Window) -> Iterator[Pair]:
    """Each weight with one that takes what it gives: inside of a model, and from an encoder to its decoder."""
    for layer in weighted_layers(window):
        source = weight_of(window, layer)
        for target in following(window, layer):
            taken = weight_of(window, target)
            if source is not None and taken is not None:
                yield source, taken
    yield from _encoder_and_decoder(window)


def _encoder_and_decoder(window: Window) -> Iterator[Pair]:
    """The end of one model and the begin of the other, where two of them together give back what they are given."""
    layers = weighted_layers(window)
    models = sorted({layer.model for layer in layers})
    if len(models) != 2 or is_adversarial(window):
        return
    ends = {}
    for model in models:
        own = [weight_of(window, layer) for layer in layers if layer.model == model]
        ends[model] = (own[0], own[-1])
    for one, other in (models, models[::-1]):
        (first, code), (taken, last) = ends[one], ends[other]
        if first is None or code is None or taken is None or last is None or min(map(_axes, (first, taken))) < 2:
            continue
        # What came out of another model has a history; what came from outside has none.
        is_fed = not any(e.model == other and e.target == taken.layer and e.source in OUTSIDE for e in window.edges)
        if is_fed and code.shape[0] == taken.shape[1] and first.shape[1] == last.shape[0] and code is not first:
            yield code, taken


def is_too_narrow(window: Window, code: Parameter) -> bool:
    """Whether a model that gives back its input stands still with much of the error left."""
    curve, left = main_curve(window), error_left(window)
    half = curve.levels[len(curve.levels) // 2 :]
    is_still = curve.count >= LEAST and half.max() - half.min() < 0.15 * half.mean()
    is_regression = any(loss.call in REGRESSION for loss in window.losses)
    return is_still and is_regression and left is not None and MUCH_LEFT < left < 1 and _axes(code) == 2


def _axes(weight: Parameter) -> int:
    return len(weight.shape)
