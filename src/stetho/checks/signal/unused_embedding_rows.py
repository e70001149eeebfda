"""unused-embedding-rows: rows of an embedding that no input ever asks for."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.labels import labelled
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.weights import never_touched
from stetho.checks.mechanisms.indices import cut_off, piled_up, shared_rows
from stetho.checks.mechanisms.unmet import unknown_words
from stetho.checks.window import Window
from stetho.findings.finding import Finding

NEARLY_ALL = 0.8
AT_CHANCE, HARDLY_BETTER = 0.7, 0.6
MANY_TIMES = 20
"""With so many samples for each row, one that may come has come."""


@check(
    severity="note",
    explains=("labels-independent-of-inputs", "loss-plateau", "metric-not-following", "stopped-early",
              "too-small-model", "learning-rate-too-high", "learning-rate-too-low", "collapsed-output"),
)  # fmt: skip
def unused_embedding_rows(window: Window, *, share: float = 0.5, steps: int = 50) -> Finding | None:
    """Embedding rows that are never used.

    ## What it finds
    An embedding of which more than the share `share` of the rows has never got a gradient after `steps` steps, as the
    state of the optimizer tells. It is a note, save where much of the error of a guess is left and the indices cannot
    be meant: all places of a sequence ask for one row, or several fields share the first rows of a table that has room
    for each of them; or where a classifier near chance uses less than a fifth of the rows, or a regression that is
    hardly better than the mean does, with many samples for each row. Ids of the input that fit the table and reach it
    cut off at less than half are an error; ids that it has no rows for, and that share the last one, are a warning.
    Rows of a quarter of a vocabulary that are never asked for, by a program that looks words up with a number for
    unknown ones and learns nothing, are a warning too. `constant-input` tells when no input makes a difference.

    ## Why it matters
    Unused rows keep their random values: memory for nothing, and noise if one of them is asked for later. It may
    also mean that the indices are wrong: a vocabulary of another tokenizer, or ids that are clipped.

    ## What to try
    Compare the range of the indices with the size of the embedding.

    ## When it is wrong
    A large vocabulary and a short run.
    """
    judged = 0
    for parameter in window.parameters:
        layer = window.layer(parameter.layer, parameter.model)
        if layer is None or not layer.is_kind("Embedding") or window.count < steps:
            continue
        wrong = cut_off(window, layer, parameter) or piled_up(window, layer, parameter)
        wrong = wrong or shared_rows(window, layer, parameter)
        if wrong is not None:
            return wrong
        unused = never_touched(window, parameter)
        # Without any gradient, the whole layer is cut off: that says nothing about its rows.
        if unused is None or unused == 1.0:
            continue
        judged += 1
        missed = unknown_words(window, parameter, unused)
        if missed is not None:
            return missed
        if unused > share:
            rows = parameter.shape[0]
            return window.finding(
                f"{unused:.0%} of the {rows:,} rows of {parameter.name} were never used in {window.last_step} steps",
                where=window.at(parameter=parameter),
                severity="warning" if unused > NEARLY_ALL and _tells_nothing(window, rows) else None,
                confidence=0.7,
                unused_share=unused,
            )
    if not judged:
        raise Skip("there is no embedding with a state that tells which rows were used")
    return None


def _tells_nothing(window: Window, rows: int) -> bool:
    """Whether whole samples are put into few classes, hardly better than by a guess: what counts may have no row.

    Or numbers are predicted hardly better, of so many samples that any row would have come.
    """
    labels, left = labelled(window), error_left(window)
    if left is None:
        return False
    if not labels.count:
        return left > HARDLY_BETTER and bool(np.nansum(window.steps["batch_size"]) > MANY_TIMES * rows)
    if left < AT_CHANCE:
        return False
    classes = len(labels["label_counts"][0])
    return bool(4 * classes < rows and np.nanmedian(labels["counted"] / labels["size"]) <= 1)
