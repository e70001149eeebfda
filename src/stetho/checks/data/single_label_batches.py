"""single-label-batches: each batch holds one label only."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import order_line
from stetho.checks.evidence.labels import has_several_passes, is_one_a_sample, label_counts, labelled
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="error",
    explains=("loss-spike", "loss-plateau", "learning-rate-too-high", "divergence", "overflow", "class-imbalance",
              "overfitting",
              "evaluation-at-chance", "metric-not-following", "collapsed-output", "too-small-model", "stopped-early",
              "learning-rate-too-low", "labels-independent-of-inputs", "saturated-activation", "dead-relu"),
)  # fmt: skip
def single_label_batches(window: Window, *, share: float = 0.8, size: int = 4) -> Finding | None:
    """Batches of a single label.

    ## What it finds
    At least the `share` of the training batches of `size` samples and more hold one label, while the labels differ
    between batches.

    ## Why it matters
    Each step pulls all outputs towards one class, the next one towards another. Batch normalisation sees statistics of
    one class at a time, which it will not see later.

    ## What to try
    Draw each batch from all classes: shuffle samples, not groups of them.

    ## When it is wrong
    Adversarial training labels whole batches "real" or "fake"; several models, optimizers or passes for each step are
    left out.
    """
    rows = labelled(window)
    counts, _ = label_counts(window)
    if len(counts) < 5 or not is_one_a_sample(rows):
        raise Skip("fewer than 5 batches with one label for each sample")
    if has_several_passes(window):
        raise Skip("several passes for each step may each have their own label")
    enough = counts.sum(1) >= size
    single = (counts > 0).sum(1) == 1
    present = int((counts[enough].sum(0) > 0).sum())
    if enough.sum() < 5 or present < 2 or single[enough].mean() < share:
        return None
    return window.finding(
        f"{single[enough].mean():.0%} of the training batches hold a single label, of {present} that there are",
        where=window.at(_drawn(window) or order_line(window, int(rows["model"][0]))),
        confidence=0.95,
        share=float(single[enough].mean()),
        labels=(counts > 0).sum(1),
    )


def _drawn(window: Window) -> str | None:
    """Where the program itself makes the labels of each batch, if no loader and no order of rows does."""
    by_hand = not window.loaders and all(model.ordered is None for model in window.models)
    return next((loss.target_made for loss in window.losses if by_hand and loss.phase == "train"), None)
