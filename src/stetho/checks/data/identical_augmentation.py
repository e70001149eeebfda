"""identical-augmentation: the workers of a loader, or all samples, draw the same random numbers."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.run.facts import Loader
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_LOOKS = 5


@check(
    severity="warning",
    explains=("loss-plateau", "collapsed-output", "overfitting", "repeated-batch", "split-leak", "too-few-examples"),
)
def identical_augmentation(window: Window, *, share: float = 0.3) -> Finding | None:
    """Samples that are made with the same random numbers.

    ## What it finds
    A data set that seeds a generator with one number whenever it makes a sample, or a function that does so for each
    batch. Or a loader with two or more workers
    whose data set draws from a random generator of its own, which every worker gets a copy of; whose `worker_init_fn`
    seeds all workers alike; or whose neighbouring batches are the same in at least the `share` of cases. Or a loss that
    compares two outputs of the model, always of one and the same input: views that were meant to differ.

    ## Why it matters
    Every worker, or every sample, draws the same numbers, and does so again in every epoch: augmentation is a fraction
    of what it seems to be, and generated samples come several times.

    ## What to try
    Draw from `torch` or from `numpy.random`, which differ in each worker, or seed your own generator with
    `torch.utils.data.get_worker_info().seed`.

    ## When it is wrong
    A generator that the data set keeps and uses for other things than samples. Where the evaluation goes well, one seed
    for all samples is a note.
    """
    return _one_seed(window) or _equal_views(window) or _equal_workers(window, share)


def _one_seed(window: Window) -> Finding | None:
    """One seed for all samples of a data set, or for all batches that a function makes."""
    rows = window.batches("train")
    seeded = next((each for each in window.loaders if each.fixed_seed and (rows["loader"] == each.id).any()), None)
    if seeded is not None:
        return window.finding(
            f"`{seeded.dataset}` seeds its random numbers with the same value for each sample",
            where=window.at(seeded.fixed_seed),
            severity="note" if ends_well(window) else "warning",
            confidence=0.9,
        )
    by_hand = next((model for model in window.models if model.is_trained and model.reseeded), None)
    if by_hand is not None:
        return window.finding(
            "what is given to the model is made with random numbers that are seeded with the same value for each batch",
            where=window.at(by_hand.reseeded),
            severity="note" if ends_well(window) else "warning",
            confidence=0.9,
        )
    return None


def _equal_views(window: Window) -> Finding | None:
    """Two views of a sample that were meant to differ."""
    views = window.probes.get("views", {})
    if views.get("looks", 0) >= LEAST_LOOKS and views.get("same", 0) == views["looks"]:
        return window.finding(
            f"the two views that the loss compares are the same, to the last bit, in {views['same']} of "
            f"{views['looks']} steps that were looked at: they agree before anything is learnt",
            where=window.at(views.get("line")),
            confidence=0.9,
            try_next="Draw new random numbers for each of the two views.",
        )
    return None


def _equal_workers(window: Window, share: float) -> Finding | None:
    """Workers that draw the same numbers."""
    rows = window.batches("train")
    several = [loader for loader in window.loaders if loader.workers >= 2]
    if not several:
        raise Skip("no loader has two workers")
    for loader in several:
        mine = rows["hash"][rows["loader"] == loader.id]
        same = float((np.diff(mine) == 0).mean()) if len(mine) > 8 else 0.0
        reason = _reason(loader)
        if same >= share and len(np.unique(mine)) > 1:
            reason = f"{same:.0%} of neighbouring batches are the same"
        if reason:
            return window.finding(
                f"the {loader.workers} workers of the loader draw the same random numbers: {reason}",
                where=window.at(window.given(loader.line, "worker seed") if loader.one_seed else loader.line),
                confidence=0.9,
                workers=loader.workers,
                same=same,
            )
    return None


def _reason(loader: Loader) -> str | None:
    if loader.own_random and not loader.worker_init:
        return f"each has its own copy of `{loader.own_random}`"
    return "worker_init_fn gives all of them one seed" if loader.one_seed else None
