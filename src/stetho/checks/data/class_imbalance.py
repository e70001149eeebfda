"""class-imbalance: one class is so frequent that the model says nothing else."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import data_line
from stetho.checks.evidence.labels import clustering, is_one_a_sample, label_counts, labelled
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    needs_end=True,
    explains=("collapsed-output", "loss-plateau", "metric-not-following", "too-small-model"),
)
def class_imbalance(window: Window, *, ratio: float = 8.0, slack: float = 0.02) -> Finding | None:
    """Classes of very different frequency.

    ## What it finds
    The most frequent class has more than `ratio` times the samples of the rarest. If, at the end, the answers are right
    no more often than always saying the most frequent class (within `slack`), it is an alarm; otherwise a note. A loss
    with weights makes up for it.

    ## Why it matters
    Always saying the frequent class is right most of the time. The loss has little to gain from the rare ones, and
    accuracy hides it.

    ## What to try
    Weigh the loss by the inverse frequency of the classes, or sample them more evenly, and watch recall for each class.

    ## When it is wrong
    Rare classes that truly cannot be told apart.
    """
    rows = labelled(window)
    counts, _ = label_counts(window)
    if len(counts) < 3 or not is_one_a_sample(rows):
        raise Skip("labels of fewer than 3 batches with one label for each sample")
    total = counts.sum(0)
    present = total[total > 0]
    if len(present) < 2 or total.sum() < 50 or present.max() < ratio * present.min() or clustering(counts) > 0.3:
        return None
    if sum(model.is_trained for model in window.models) > 1 or _is_weighed(window):
        return None
    last = rows["correct"][-max(len(counts) // 4, 1) :].sum() / rows["counted"][-max(len(counts) // 4, 1) :].sum()
    frequent = float(total.max() / total.sum())
    counted = window.info.get("metrics", {})
    recall = next((counted[phase]["recall"] for phase in ("train", "eval") if "recall" in counted.get(phase, {})), None)
    noise = 2 * float(np.sqrt(frequent * (1 - frequent) / max(rows["counted"][-max(len(counts) // 4, 1) :].sum(), 1)))
    blind = last <= frequent + slack + noise and (recall is None or recall < 1 / len(present) + 0.1)
    return window.finding(
        f"the most frequent class has {frequent:.1%} of the labels, the rarest {present.min() / total.sum():.1%}; "
        f"{last:.1%} of the answers are right at the end",
        where=window.at(_remedy(window, int(rows["model"][0]))),
        severity="warning" if blind else "note",
        confidence=0.85,
        frequencies=total / total.sum(),
        accuracy=float(last),
    )


def _is_weighed(window: Window) -> bool:
    """Whether the loss makes up for the frequencies: then fewer right answers are the price of the rare class."""
    return any(loss.weight is not None or loss.settings.get("pos_weight") for loss in window.losses)


def _remedy(window: Window, model: int) -> str | None:
    """Where classes are drawn more evenly, by a loader; without one, where the loss would get their weights."""
    losses = [loss.place for loss in window.losses if loss.phase == "train" and loss.place]
    return losses[0] if losses and not window.loaders else data_line(window, model)
