"""Schedules that wait for a number to get better, and take a rise for a fall: `mode="min"` told an accuracy."""

import re

import numpy as np

from stetho.checks.run.facts import Scheduler
from stetho.checks.window import Window
from stetho.findings.finding import Finding

BETTER_HIGH = frozenset(("acc", "accuracy", "accs", "f1", "auc", "auroc", "iou", "miou", "dice", "bleu", "r2", "psnr",
                         "ssim", "reward", "rewards", "precision", "recall", "correct"))  # fmt: skip
BETTER_LOW = frozenset(("loss", "losses", "err", "error", "errors", "mse", "mae", "rmse", "nll", "ppl", "perplexity",
                        "cost", "wer", "cer"))  # fmt: skip
LEAST_TOLD = 5


def turned_about(window: Window) -> Finding | None:
    """A schedule that lowered the rate while it was told a score as if it were a loss, or the other way round."""
    for schedule in window.schedulers:
        told, cuts = np.asarray(schedule.settings.get("told", ()), float), int(schedule.settings.get("cuts") or 0)
        wants, better = schedule.settings.get("mode"), _better(window, schedule)
        # A score with a minus is a loss.
        if len(told) < LEAST_TOLD or not cuts or better in (None, wants) or told.max() <= 0:
            continue
        name = schedule.settings.get("told_name") or ("the accuracy" if better == "max" else "the loss")
        fall, rise = ("fall", "better the higher it is") if wants == "min" else ("rise", "better the lower it is")
        known = window.steps["lr"][np.isfinite(window.steps["lr"])]
        return window.finding(
            f"{schedule.kind} (mode='{wants}') waits for {name} to {fall}, which is {rise} ({told[0]:.3g} at first, "
            f"{told[-1]:.3g} at the end): it lowered the learning rate {_times(cuts)}, "
            f"from {known.max(initial=0.0):.2g} to {known[-1] if len(known) else 0.0:.2g}",
            where=window.at(schedule.settings.get("told_line") or schedule.line),
            confidence=0.92,
            try_next=f"Give the schedule mode='{better}', or tell it "
            + ("the evaluation loss." if better == "max" else "the score."),
            told=told,
            cuts=float(cuts),
        )
    return None


def _better(window: Window, schedule: Scheduler) -> str | None:
    """Whether what a schedule is told is better when high ("max") or low ("min"); None where it is not known."""
    return _by_name(schedule.settings.get("told_name")) or _by_value(window, schedule)


def _by_name(name: object) -> str | None:
    words = (
        set(re.split(r"[^a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))
        if isinstance(name, str)
        else set()
    )
    if bool(words & BETTER_HIGH) == bool(words & BETTER_LOW):
        return None
    return "max" if words & BETTER_HIGH else "min"


def _by_value(window: Window, schedule: Scheduler) -> str | None:
    """An accuracy is known by being the one that we counted ourselves."""
    told = np.asarray(schedule.settings.get("told", ()), float)
    steps = np.asarray(schedule.settings.get("told_at", ()), float)
    counted = window.metric("accuracy", "eval")
    if counted is None or len(steps) != len(told):
        return None
    known = dict(zip(counted.steps.tolist(), counted.values.tolist(), strict=True))
    pairs = [(value, known[step]) for step, value in zip(steps.tolist(), told.tolist(), strict=True) if step in known]
    same = [abs(value - own) < 1e-4 or abs(value - 100 * own) < 1e-2 for value, own in pairs]
    return "max" if len(same) >= LEAST_TOLD and np.mean(same) > 0.9 else None


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
