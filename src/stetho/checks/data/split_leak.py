"""split-leak: samples of the training are used to evaluate."""

import numpy as np

from stetho.checks.chance import share_noise
from stetho.checks.declare import Skip, check
from stetho.checks.inputs import data_line, evaluated_samples
from stetho.checks.redrawn import sample_hashes
from stetho.checks.repeats import comes_again_by_chance, repeats
from stetho.checks.series import Array
from stetho.checks.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning")
def split_leak(window: Window, *, share: float = 0.05, samples: int = 30) -> Finding | None:
    """The same samples in training and evaluation.

    ## What it finds
    Of at least `samples` samples that were evaluated, more than the `share` were also trained on, where evaluation has
    data of its own: a loader over another number of samples, batches that mix samples of both kinds, or the same small
    part of the training data each time. An evaluation of the training data as a whole is a note; so is a pass of all
    data through the model without a loss or a comparison of answers, as for embeddings.

    ## Why it matters
    The score says how well the model remembers, not how well it will do.

    ## What to try
    Split once, before anything else, by index, and remove duplicates before that.

    ## When it is wrong
    Data with few possible values, in which equal samples are no surprise; they are left out where training itself
    repeats them.
    """
    judged = 0
    for model in window.models:
        train, other = window.batches("train", model.id), window.batches("eval", model.id)
        known, asked = np.unique(sample_hashes(train)), sample_hashes(other)
        if not model.is_trained or len(np.unique(asked)) < samples or len(known) < samples:
            continue
        judged += 1
        shares = _shares(other, known)
        overlap = float(np.isin(np.unique(asked), known).mean())
        if overlap < max(share, 5 * repeats(train)):
            continue
        return window.finding(
            f"{overlap:.0%} of the {len(np.unique(asked))} evaluated samples that were looked at were also trained on",
            where=window.at(data_line(window, model.id, "eval")),
            severity="warning" if _is_apart(window, model.id, known) else "note",
            confidence=0.9,
            overlap=overlap,
            shares=shares,
        )
    if not judged:
        raise Skip(f"fewer than {samples} samples of training and evaluation were looked at")
    return None


def _shares(rows: Table, known: Array) -> Array:
    """For each evaluated batch, the share of its samples that were trained on."""
    return np.array([np.isin(s, known).mean() for s in rows["samples"] if s is not None and len(s)])


def _is_apart(window: Window, model: int, known: Array) -> bool:
    """Whether the evaluation is meant to have samples of its own."""
    train, other = window.batches("train", model), window.batches("eval", model)
    if comes_again_by_chance(train, float(np.isin(np.unique(sample_hashes(other)), known).mean())):
        return False
    if _is_everything(window, model, known):
        return False
    apart = _is_own_loader(window, train, other)
    return apart is True or (apart is None and (_is_partial(train, other) or _is_small_part(window, model, known)))


def _is_everything(window: Window, model: int, known: Array) -> bool:
    """Whether all data go through the model at once, training data too, and nobody says what is right: no score."""
    other = window.batches("eval", model)
    is_judged = np.isfinite(other["counted"]).any() or any(call is not None for call in other["loss_call"])
    overlap = float(np.isin(np.unique(sample_hashes(other)), known).mean())
    return bool(not is_judged and overlap * np.nanmax(other["size"], initial=0.0) > 0.9 * len(known))


def _is_partial(train: Table, other: Table) -> bool:
    """Whether evaluated batches mix samples of both kinds.

    An evaluation of all training data finds as many known samples as training itself does.
    """
    found = [s for s in train["samples"] if s is not None and len(s)]
    if len(found) < 4:
        return False
    cut = len(found) - max(len(found) // 4, 1)
    early, late = np.unique(np.concatenate(found[:cut])), np.concatenate(found[cut:])
    usual, shares = float(np.isin(late, early).mean()), _shares(other, early)
    # Samples of few possible values come again by chance, in training as in evaluation.
    noise = share_noise(usual, len(np.unique(sample_hashes(other)))) if usual < 0.99 else 0.0
    mixed = ((shares > 0.05 * usual) & (shares < 0.95 * usual)).mean() > 0.5
    return bool(mixed and shares.mean() < 0.92 * usual - noise)


def _is_small_part(window: Window, model: int, known: Array) -> bool:
    """Whether all that is ever evaluated is the same, larger than a batch, and much less than the training data."""
    train, other = window.batches("train", model), window.batches("eval", model)
    size, batch = evaluated_samples(window, model), float(np.nanmax(train["size"], initial=0))
    asked = sample_hashes(other)
    times = len(np.unique(other["step"][[s is not None for s in other["samples"]]]))
    is_same = times > 2 and len(asked) >= 0.9 * times * len(np.unique(asked))
    return bool(is_same and _shares(other, known).min() > 0.98 and 2 * batch < size < 0.7 * len(known))


def _is_own_loader(window: Window, train: Table, other: Table) -> bool | None:
    """Whether the evaluation has a loader over another number of samples; None when there is no loader of its own."""

    def length(rows: Table) -> tuple[float, int | None] | None:
        numbers = rows["loader"][np.isfinite(rows["loader"])]
        if not len(numbers):
            return None
        return numbers[0], next((each.length for each in window.loaders if each.id == numbers[0]), None)

    one, two = length(train), length(other)
    if one is None or two is None or one[0] == two[0]:
        return None
    return one[1] is None or two[1] is None or one[1] != two[1]
