"""Steps at which a training begins again: by mistake, or because the one before has come to its end."""

import numpy as np

from stetho.checks.window import Window

LONG = 30
SWEEP = 30.0
"""Rates that rise as far as this in one go are tried, not used."""
LOSING = 0.2
"""The share of the exchanges of weights that must throw away what was learnt."""
STANDS = 0.1
"""A loss that fell by less than this share of it all in its last third has come to its end."""


def is_back_at_start(window: Window, step: int) -> bool:
    """Whether most of what the loss had fallen by is lost at a step."""
    losses = window.loss_series().finite
    place = int(np.searchsorted(losses.steps, step))
    before, start = losses.values[max(place - 5, 0) : place], float(losses.first)
    if not len(before) or place >= len(losses):
        return False
    level = float(np.median(before))
    return level < 0.5 * start and float(losses.values[place]) > level + 0.6 * (start - level)


def losing(window: Window, exchanges: list[int]) -> list[int]:
    """Exchanges of weights that throw away what was learnt.

    Going back to a better state is what loading is for; the level of the start is no better state. Where most exchanges
    keep what was learnt, as steps towards the weights of each task do, the few others met a hard batch.
    """
    found = [step for step in exchanges if is_back_at_start(window, step)]
    return found if len(found) >= LOSING * len(exchanges) else []


def begins_a_training(window: Window, step: int) -> bool:
    """Whether a new optimizer takes its first step, and the loss had come down and stood under the one before."""
    numbers, optimizers = window.steps["step"], window.steps["optimizer"]
    place = int(np.searchsorted(numbers, step))
    if not 0 < place < len(optimizers) or optimizers[place] in optimizers[:place]:
        return False
    before = numbers[:place][optimizers[:place] == optimizers[place - 1]]
    losses = window.loss_series().between(int(before[0]), step - 1).finite.values
    if len(losses) < LONG:
        return False
    start, middle, end = (float(np.median(part)) for part in (losses[:3], *np.array_split(losses, 3)[1:]))
    return start > end and middle - end < STANDS * (start - end)


def ends_a_trial_of_rates(window: Window, step: int) -> bool:
    """Whether rates had risen steadily and far, and fall at a step: a search for one, which leaves nothing behind."""
    rates = window.steps["lr"]
    is_known = np.isfinite(rates)
    place = int(np.searchsorted(window.steps["step"][is_known], step))
    rates = rates[is_known]
    if not 1 < place < len(rates) or rates[place] >= rates[place - 1]:
        return False
    falls = np.flatnonzero(np.diff(rates[:place]) < 0)
    first = float(rates[falls[-1] + 1 if len(falls) else 0])
    return float(rates[place - 1]) > SWEEP * first > 0
