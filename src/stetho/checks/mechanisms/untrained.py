"""Layers that were frozen as they were made, at random, before anybody trained them."""

from stetho.checks.evidence.outcome import error_left
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

MUCH_LEFT = 0.25
MOST_LEFT = 0.5
"""A table of vectors may have been given as it is: only where most of the error is left, it should have been learnt."""
LEAST_STEPS = 100
NOTHING_LEARNT, FEWEST_STEPS = 0.9, 30
"""A head on features that tell something learns within few steps: where nothing came of those, they are enough."""


def untrained_part(window: Window) -> Finding | None:
    """Layers that were frozen before anybody trained them, or loaded their weights."""
    left = error_left(window)
    trained = {p.model for p in window.parameters if p.trainable and p.optimizer is not None}
    weights = [p for p in window.parameters if p.model in trained and len(p.shape) > 1]
    random = [p for p in weights if p.as_made and not p.trainable and not _was_trained(window, p)]
    is_table = all(_is_table(window, p) for p in random)
    is_loaded = bool(window.loads) or window.line("load_state_dict") is not None
    if is_loaded or any(_is_set_apart(window, p) for p in random):
        return None
    if left is None or left < (MOST_LEFT if is_table else MUCH_LEFT) or len(random) < 0.3 * len(weights) or not random:
        return None
    if window.count < (FEWEST_STEPS if left > NOTHING_LEARNT else LEAST_STEPS):
        return None
    return window.finding(
        f"{len(random)} of {len(weights)} weights need no gradient and are as they were initialised at random: "
        f"{random[0].name} …; {_outcome(left)}",
        where=window.at(random[0].frozen, parameter=random[0]),
        severity="warning",
        confidence=0.85,
        try_next="Train these layers as well, or load weights that were trained elsewhere.",
        parameters=", ".join(p.name for p in random[:8]),
    )


def _outcome(left: float) -> str:
    return f"{left:.0%} of the error of a guess is left" if left < 1 else "answers are no better than a guess"


def _was_trained(window: Window, parameter: Parameter) -> bool:
    """Whether it was frozen only after some steps had moved it."""
    update = window.parameter_stat("update.absmax", parameter)
    return update is not None and bool((update.values > 0).any())


def _is_table(window: Window, parameter: Parameter) -> bool:
    layer = window.layer(parameter.layer, parameter.model)
    return layer is not None and layer.is_kind("Embedding")


def _is_set_apart(window: Window, parameter: Parameter) -> bool:
    """Whether a layer is in evaluation mode in a model that trains: it is frozen on purpose."""
    layer = window.layer(parameter.layer, parameter.model)
    trains = any(each.training for each in window.layers if each.model == parameter.model)
    return layer is not None and layer.training is False and trains
