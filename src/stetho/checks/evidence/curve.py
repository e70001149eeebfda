"""How a loss went: where it began, where it ended, and what it did in between. Levels are medians: noise is no news."""

from dataclasses import dataclass

import numpy as np

from stetho.checks.run.series import Array, Series
from stetho.checks.window import Window

WITH_TARGETS = ("cross_entropy", "nll_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "mse_loss",
                "l1_loss", "smooth_l1_loss", "huber_loss", "ctc_loss")  # fmt: skip

LEAST_LOOKS = 8
SAME_WAY = 0.5
"""A teacher, or a copy that is trained elsewhere, goes a way of its own."""
LEAST_TO_STAND = 40
STANDS = 0.9

FIRST = 3
"""A loss falls fast in its first steps: more of them would not be the start."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A loss over the steps.

    >>> curve = Curve(Series(np.arange(1, 41), np.linspace(4.0, 2.0, 40)))
    >>> round(curve.start, 2), round(curve.end, 2), round(curve.fall, 2), curve.ends_finite
    (3.95, 2.08, 0.47, True)
    """

    series: Series

    @property
    def count(self) -> int:
        """How many losses were seen."""
        return len(self.series)

    @property
    def values(self) -> Array:
        """The finite losses."""
        return self.series.finite.values

    @property
    def first(self) -> float:
        """The first loss: that of the weights as they were initialised."""
        return float(self.values[0]) if len(self.values) else float("nan")

    @property
    def highest(self) -> float:
        """The highest loss that lasted for more than one step."""
        values = self.values
        return float(np.minimum(values[1:], values[:-1]).max()) if len(values) > 1 else self.first

    @property
    def start(self) -> float:
        """The level of the first steps."""
        return _median(self.values[:FIRST])

    @property
    def end(self) -> float:
        """The level of the last tenth."""
        return _median(self.values[-max(FIRST, len(self.values) // 10) :])

    @property
    def fall(self) -> float:
        """The way down as a share of the start; negative when the loss rose."""
        return (self.start - self.end) / max(abs(self.start), 1e-12)

    @property
    def levels(self) -> Array:
        """The course in up to 20 medians."""
        parts = np.array_split(self.values, min(20, max(len(self.values) // FIRST, 1)))
        return np.array([_median(part) for part in parts])

    @property
    def best(self) -> float:
        """The lowest level."""
        levels = self.levels[np.isfinite(self.levels)]
        return float(levels.min()) if len(levels) else float("nan")

    @property
    def noise(self) -> float:
        """How far neighbouring losses lie apart in the later half, usually."""
        return _median(np.abs(np.diff(self.values[len(self.values) // 2 :])))

    @property
    def first_bad(self) -> int:
        """The first step whose loss is no number, of a curve that has one."""
        return int(self.series.steps[~np.isfinite(self.series.values)][0])

    @property
    def ends_finite(self) -> bool:
        """Whether the last losses are numbers."""
        return bool(np.isfinite(self.series.values[-FIRST:]).any()) or self.count == 0


def main_curve(window: Window) -> Curve:
    """The loss of the whole run; with several optimizers, that of the one which stepped most often."""
    numbers = window.steps["optimizer"]
    known = numbers[np.isfinite(numbers) & (window.steps["loss_seen"] == 1)]
    if not len(known):
        return Curve(window.loss_series())
    return Curve(window.loss_series(int(np.bincount(known.astype(int)).argmax())))


def standing(window: Window) -> tuple[float, float] | None:
    """The level of the loss early in a run and at its end, where that is the same; None where it fell, or is short.

    How often labels occur can be learnt from anything, so what counts is the time after the first fifth.
    """
    losses = main_curve(window).values
    if len(losses) < LEAST_TO_STAND:
        return None
    part = len(losses) // 5
    early, late = _median(losses[part : 2 * part]), _median(losses[-part:])
    return (early, late) if early > 0 and late >= STANDS * early else None


def is_adversarial(window: Window) -> bool:
    """Whether several optimizers take turns: their losses need not fall, each is the other's task.

    Optimizers that share one backward pass have one loss, and are no players.
    """
    numbers = window.steps["optimizer"]
    known = numbers[np.isfinite(numbers) & ~(window.steps["backwards"] == 0)]
    counts = np.unique(known, return_counts=True)[1]
    return bool(np.count_nonzero(counts > 0.1 * len(known)) > 1 and np.count_nonzero(np.diff(known)) > 0.1 * len(known))


def is_supervised(window: Window) -> bool:
    """Whether one objective compares an output with a target through a loss function that is known."""
    is_known = any(loss.call in WITH_TARGETS for loss in window.losses)
    return is_known and not is_adversarial(window) and not follows_itself(window)


def follows_itself(window: Window) -> bool:
    """Whether a copy that is brought after the model makes its targets, as a target network does.

    The targets jump whenever the copy does, and the loss with them: how high it is says nothing of what is learnt.
    """
    asked, found = window.probes.get("following", {}), window.probes.get("lagging", {})
    looks, model = int(asked.get("looks", 0)), int(asked.get("model", -1))
    is_behind = model == int(found.get("model", -2)) and float(found.get("cosine", 0.0)) > SAME_WAY
    return looks >= LEAST_LOOKS and is_behind


def _median(values: Array) -> float:
    return float(np.median(values)) if len(values) else float("nan")
