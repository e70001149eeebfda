"""split-leak: samples of the training are used to evaluate."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import data_line
from stetho.checks.evidence.redrawn import sample_hashes
from stetho.checks.evidence.repeats import repeats
from stetho.checks.mechanisms.set_apart import are_gathered, evaluations, is_set_apart, known_shares
from stetho.checks.run.table import Table
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="warning")
def split_leak(window: Window, *, share: float = 0.05, samples: int = 30) -> Finding | None:
    """The same samples in training and evaluation.

    ## What it finds
    Of at least `samples` samples that were evaluated, more than the `share` were also trained on, where evaluation has
    data of its own: a loader over another number of samples, batches that mix samples of both kinds, or the same small
    part of the training data each time. An evaluation of the training data as a whole is a note; so is a pass of all
    data through the model without a loss or a comparison of answers, as for embeddings. What a teacher is
    asked, and what is trained on only after it was asked for the last time, as the states that a policy meets, is no
    evaluation. Where all nodes of a graph are given each time, and the loss takes some of the answers, nothing is said.

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
        train, other = window.batches("train", model.id), evaluations(window, model.id)
        known, asked = np.unique(sample_hashes(train)), sample_hashes(other)
        if not model.is_trained or len(np.unique(asked)) < samples or len(known) < samples:
            continue
        if _chooses_answers(window, train):
            continue
        judged += 1
        shares = known_shares(other, known)
        overlap = float(np.isin(np.unique(asked), known).mean())
        doubled = _duplicated(window)
        # Samples that come twice since the program doubles them before it splits are no sign of few possible ones.
        usual = 0.0 if doubled is not None else 5 * repeats(train)
        if overlap < max(share, usual) or are_gathered(train, other):
            continue
        return window.finding(
            f"{overlap:.0%} of the {len(np.unique(asked))} evaluated samples that were looked at were also trained on",
            where=window.at(doubled or data_line(window, model.id, "eval")),
            severity="warning" if is_set_apart(window, model.id, known) else "note",
            confidence=0.9,
            overlap=overlap,
            shares=shares,
        )
    if not judged:
        raise Skip(f"fewer than {samples} samples of training and evaluation were looked at, or a part of them is used")
    return None


def _chooses_answers(window: Window, train: Table) -> bool:
    """Whether the same samples are given each time, and the loss is made of a part of the answers."""
    hashes, sizes = train["hash"][np.isfinite(train["hash"])], train["size"][np.isfinite(train["size"])]
    shapes = [loss.input_shape for loss in window.losses if loss.phase == "train"]
    is_one_batch = len(hashes) > 1 and len(sizes) > 0 and bool((hashes == hashes[0]).all())
    return is_one_batch and bool(shapes) and all(shape and shape[0] < sizes.min() for shape in shapes)


def _duplicated(window: Window) -> str | None:
    """Where the program duplicates rows before it splits them."""
    backward = window.line("backward")
    line = window.given(backward, "rows")
    return line if line != backward else None
