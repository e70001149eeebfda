"""Whether an evaluation is meant to have samples of its own, apart from those of the training."""

from collections.abc import Callable

import numpy as np

from stetho.checks.evidence.chance import share_noise
from stetho.checks.evidence.inputs import evaluated_samples
from stetho.checks.evidence.redrawn import sample_hashes
from stetho.checks.evidence.repeats import comes_again_by_chance
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window

LEAST_ASKED = 10


def is_set_apart(window: Window, model: int, known: Array) -> bool:
    """Whether the evaluation is meant to have samples of its own."""
    train, other = window.batches("train", model), evaluations(window, model)
    if comes_again_by_chance(train, float(np.isin(np.unique(sample_hashes(other)), known).mean())):
        return False
    if _is_everything(window, model, known):
        return False
    apart = _is_own_loader(window, train, other)
    return apart is True or (apart is None and (_is_partial(train, other) or _is_small_part(window, model, known)))


def known_shares(rows: Table, known: Array) -> Array:
    """For each evaluated batch, the share of its samples that were trained on."""
    return np.array([np.isin(s, known).mean() for s in rows["samples"] if s is not None and len(s)])


def evaluations(window: Window, model: int) -> Table:
    """What the model is asked without gradients, but for what it is asked in most steps of a model that it teaches."""
    train, other = window.batches("train", model), window.batches("eval", model)
    last = train["step"].max(initial=0)
    taught = (other["step"] >= last) & ~_are_judged(other)
    since = np.count_nonzero(window.steps["step"] > last)
    is_teacher = len(np.unique(other["step"][taught])) > max(0.5 * since, LEAST_ASKED)
    return other.where(~taught) if is_teacher else other


def are_gathered(train: Table, other: Table) -> bool:
    """Whether what is asked is trained on only afterwards, as the states that a policy meets."""
    first, last = _met(train, min), _met(other, max)
    both = first.keys() & last.keys()
    return bool(both) and sum(last[each] < first[each] for each in both) > 0.95 * len(both)


def _met(rows: Table, chosen: Callable[[float, float], float]) -> dict[int, float]:
    """For each sample that was looked at, when it was met: first or last, as `chosen`."""
    times: dict[int, float] = {}
    for time, samples in zip(rows["time"], rows["samples"], strict=True):
        for sample in () if samples is None else samples:
            times[sample] = chosen(times.get(sample, time), time)
    return times


def _is_everything(window: Window, model: int, known: Array) -> bool:
    """Whether all data go through the model at once, training data too, and nobody says what is right: no score."""
    other = evaluations(window, model)
    overlap = float(np.isin(np.unique(sample_hashes(other)), known).mean())
    return bool(not _are_judged(other).any() and overlap * np.nanmax(other["size"], initial=0.0) > 0.9 * len(known))


def _are_judged(rows: Table) -> Array:
    """In which of the passes somebody says what would be right."""
    has_loss: Array = np.array([call is not None for call in rows["loss_call"]], bool)
    has_loss |= np.isfinite(rows["counted"])
    return has_loss


def _is_partial(train: Table, other: Table) -> bool:
    """Whether evaluated batches mix samples of both kinds.

    An evaluation of all training data finds as many known samples as training itself does.
    """
    early, usual = _met_again(train)
    if usual is None:
        return False
    shares = known_shares(other, early)
    # Samples of few possible values come again by chance, in training as in evaluation.
    noise = share_noise(usual, len(np.unique(sample_hashes(other)))) if usual < 0.99 else 0.0
    mixed = ((shares > 0.05 * usual) & (shares < 0.95 * usual)).mean() > 0.5
    return bool(mixed and shares.mean() < 0.92 * usual - noise)


def _met_again(train: Table) -> tuple[Array, float | None]:
    """Samples of the earlier batches, and which share of the later ones is among them; None with too few batches."""
    found = [s for s in train["samples"] if s is not None and len(s)]
    if len(found) < 4:
        return np.array([]), None
    cut = len(found) - max(len(found) // 4, 1)
    early, late = np.unique(np.concatenate(found[:cut])), np.concatenate(found[cut:])
    return early, float(np.isin(late, early).mean())


def _is_small_part(window: Window, model: int, known: Array) -> bool:
    """Whether all that is ever evaluated is the same, larger than a batch, and much less than the training data."""
    train, other = window.batches("train", model), evaluations(window, model)
    size, batch = evaluated_samples(window, model), float(np.nanmax(train["size"], initial=0))
    asked = sample_hashes(other)
    times = len(np.unique(other["step"][[s is not None for s in other["samples"]]]))
    is_same = times > 2 and len(asked) >= 0.9 * times * len(np.unique(asked))
    early, usual = _met_again(train)
    # Where only some of the training was looked at, the rest of it is as large as what comes up late says. Data that
    # hardly ever come up again are drawn anew, and what they share with an evaluation is chance.
    is_drawn = usual is None or usual < 0.5
    few, least = (
        (len(known), 0.98) if is_drawn else (max(len(early) / (usual or 1.0), len(known)), 0.7 * (usual or 1.0))
    )
    return bool(is_same and known_shares(other, known).min() > least and 2 * batch < size < 0.85 * few)


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
