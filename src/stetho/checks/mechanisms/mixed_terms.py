"""Terms of one loss of which some are summed over their elements and others averaged."""

from collections.abc import Iterator

import numpy as np

from stetho.checks.evidence.chain import elements
from stetho.checks.evidence.compared import CLASSES, beginning, ending
from stetho.checks.run.facts import Loss
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_LOOKS = 10
LEAST_ELEMENTS = 8
FEW_OF_THE_LOSS = 0.1
STILL = 0.6
"""A term that ends above this share of where it began was not learnt, when the others were."""
LEARNT = 0.3


def summed_beside_averaged(window: Window) -> Finding | None:
    """A summed term that drowns an averaged one: nothing but the size of the batch weighs them."""
    for summed, averaged in _pairs(window):
        steps = np.intersect1d(_steps(summed), _steps(averaged))
        large, small = (_at(loss, steps) for loss in (summed, averaged))
        whole = _backward(window, steps)
        known = np.isfinite(large) & np.isfinite(small) & np.isfinite(whole)
        large, small, whole = large[known], small[known], whole[known]
        if len(whole) < LEAST_LOOKS or beginning(small / np.maximum(large, 1e-30)) > FEW_OF_THE_LOSS:
            continue
        # With a factor of its own, a term was weighed by somebody.
        is_plain = np.median(np.abs(whole - large - small) / np.abs(whole)) < 0.02 * FEW_OF_THE_LOSS
        is_left = ending(small) > STILL * beginning(small) and ending(large) < LEARNT * beginning(large)
        if is_plain and is_left:
            return _finding(window, summed, averaged, large, small)
    return None


def _pairs(window: Window) -> Iterator[tuple[Loss, Loss]]:
    calls = [loss for loss in window.losses if loss.phase == "train" and loss.settings.get("values")]
    summed = [loss for loss in calls if loss.reduction == "sum" and elements(loss.input_shape) >= LEAST_ELEMENTS]
    averaged = [loss for loss in calls if loss.reduction == "mean"]
    return ((one, other) for one in summed for other in averaged if other.call in CLASSES or _is_error(other))


def _is_error(loss: Loss) -> bool:
    return loss.call.startswith("binary_cross_entropy") or loss.call in ("mse_loss", "l1_loss", "smooth_l1_loss")


def _steps(loss: Loss) -> Array:
    return np.asarray(loss.settings.get("value_steps", ()), float)


def _at(loss: Loss, steps: Array) -> Array:
    known = dict(zip(_steps(loss).tolist(), loss.settings["values"], strict=False))
    return np.array([known.get(step, np.nan) for step in steps.tolist()], float)


def _backward(window: Window, steps: Array) -> Array:
    alone = window.steps["backwards"] == 1
    known = dict(zip(window.steps["step"][alone].tolist(), window.steps["loss"][alone].tolist(), strict=True))
    return np.array([known.get(step, np.nan) for step in steps.tolist()], float)


def _finding(window: Window, summed: Loss, averaged: Loss, large: Array, small: Array) -> Finding:
    count = elements(summed.input_shape)
    return window.finding(
        f"{summed.call} is summed over {count} numbers and {averaged.call} is averaged: it begins "
        f"{large[0] / small[0]:.0f} times as large and falls to {ending(large):.3g}, while "
        f"{averaged.call} stays at {ending(small):.3g} (from {beginning(small):.3g})",
        where=window.at(window.given(summed.place, "reduction")),
        confidence=0.9,
        try_next=f"Average {summed.call} as well (reduction='mean'), or weigh the terms by hand.",
        summed=large,
        averaged=small,
    )
