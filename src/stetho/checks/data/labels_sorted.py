"""labels-sorted: the training data come in the order of their labels."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import order_line
from stetho.checks.evidence.labels import clustering, has_several_passes, is_one_a_sample, label_counts, labelled
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("single-label-batches", "loss-spike", "loss-plateau", "learning-rate-too-high", "class-imbalance",
              "divergence", "overflow", "overfitting",
              "evaluation-at-chance", "metric-not-following", "collapsed-output", "too-small-model",
              "stopped-early", "learning-rate-too-low", "labels-independent-of-inputs", "saturated-activation",
              "dead-relu"),
)  # fmt: skip
def labels_sorted(window: Window, *, together: float = 0.3, apart: float = 0.9, order: float = 0.85) -> Finding | None:
    """The training data are sorted by label.

    ## What it finds
    Labels come together in batches far more than drawing at random explains (above `together`, where 1 means that each
    batch has one label), and from batch to batch the mean label goes up, or stays, in at least the share `order` of
    cases. For regressions, the same of the mean target, and `apart` or more of the variance is that between batches:
    targets that rise because a model makes them better and better still differ within a batch.

    ## Why it matters
    The model learns one label after the other and forgets the one before. The loss looks fine within a stretch and
    jumps at each change.

    ## What to try
    Shuffle the training data: `DataLoader(..., shuffle=True)`, or `torch.randperm` for each epoch.

    ## When it is wrong
    Programs that learn one task after the other on purpose.
    """
    if has_several_passes(window):
        raise Skip("several passes for each step may each have their own label")
    rows = labelled(window)
    counts, steps = label_counts(window)
    if len(counts) >= 6 and is_one_a_sample(rows):
        grouped, means = clustering(counts), (counts @ np.arange(counts.shape[1])) / counts.sum(1)
        least = together
        what = f"{np.mean((counts > 0).sum(1)):.1f} of {(counts.sum(0) > 0).sum()} labels in a batch"
    else:
        grouped, means, steps = _of_numbers(window)
        least = apart
        what = "close targets in each batch"
        if len(means) < 12:
            raise Skip("fewer than 6 batches with labels")
    rising = _rising(means, steps)
    if grouped < least or rising < order:
        return None
    return window.finding(
        f"training data come in the order of their labels: {what}, rising from batch to batch in {rising:.0%} of cases",
        where=window.at(order_line(window, int(window.batches("train")["model"][0]))),
        confidence=0.95,
        together=grouped,
        mean_label=means,
    )


def _of_numbers(window: Window) -> tuple[float, Array, Array]:
    rows = window.batches("train")
    rows = rows.where(np.isfinite(rows["target_mean"]) & np.isfinite(rows["target_std"]) & (rows["size"] >= 4))
    if rows.count < 12 or len({loss.call for loss in window.losses}) > 1:
        return 0.0, np.zeros(0), np.zeros(0)
    within, between = float((rows["target_std"] ** 2).mean()), float(rows["target_mean"].var())
    return between / max(within + between, 1e-30), rows["target_mean"], rows["step"]


def _rising(means: Array, steps: Array) -> float:
    """The share of neighbouring batches whose mean label does not fall, or does not rise; the larger of both."""
    follow = np.diff(steps) == 1
    changes = np.diff(means)[follow]
    if len(changes) < 5:
        return 0.0
    slack = 1e-9 + 0.01 * float(np.std(means))
    up, down = (changes >= -slack).mean(), (changes <= slack).mean()
    # All the same is no order.
    return float(max(up, down)) if np.abs(changes).max() > slack else 0.0
