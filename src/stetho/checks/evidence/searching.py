"""Optimizers that ask for the loss as often as they like in one step, as LBFGS does."""

import numpy as np

from stetho.checks.window import Window


def searches(window: Window) -> bool:
    """Whether there is such an optimizer."""
    return any("max_iter" in group.settings for optimizer in window.optimizers for group in optimizer.groups)


def updates_made(window: Window) -> int:
    """How often weights were moved: once a step, or once for each loss that a search asked for.

    >>> from stetho.testing import make_window
    >>> updates_made(make_window(steps=30))
    30
    """
    asked = int(np.nansum(window.steps["backwards"])) if searches(window) else 0
    return max(window.count, asked)
