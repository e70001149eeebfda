"""unused-embedding-rows: rows of an embedding that no input ever asks for."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.facts import Layer, Parameter
from stetho.checks.outcome import error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LOOKS = 20
"""Rows that are asked for are counted in so many passes."""
MANY_ROWS = 16
FEWEST_ROWS = 4
"""Kinds of segments are two or three, and often only the first is used."""
MUCH_LEFT = 0.4


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
    for each of them. Ids of the input that fit the table and reach it cut off at less than half are an error.
    `constant-input` tells when no input makes a difference.

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
        wrong = _cut_off(window, layer, parameter) or _wrong_indices(window, layer, parameter)
        if wrong is not None:
            return wrong
        unused = never_touched(window, parameter)
        # Without any gradient, the whole layer is cut off: that says nothing about its rows.
        if unused is None or unused == 1.0:
            continue
        judged += 1
        if unused > share:
            rows = parameter.shape[0]
            return window.finding(
                f"{unused:.0%} of the {rows:,} rows of {parameter.name} were never used in {window.count} steps",
                where=window.at(parameter=parameter),
                confidence=0.7,
                unused_share=unused,
            )
    if not judged:
        raise Skip("there is no embedding with a state that tells which rows were used")
    return None


def never_touched(window: Window, parameter: Parameter) -> float | None:
    """The share of zeros in a state that is zero only where there never was a gradient."""
    for key in ("state.exp_avg_sq", "state.square_avg", "state.momentum_buffer", "state.sum"):
        zeros = window.parameter_stat(f"{key}.zero_share", parameter)
        if zeros is not None and len(zeros):
            return zeros.last
    return None


def _cut_off(window: Window, layer: Layer, parameter: Parameter) -> Finding | None:
    """Ids that the table has rows for, and that do not come there."""
    passes = window.batches("train")
    own = (passes["model"] == layer.model) & np.char.startswith(passes["dtype"].astype(str), "int")
    given = passes["max"][own][:LOOKS]
    rows, last = parameter.shape[0], layer.last_asked
    if last is None or rows < MANY_ROWS or not len(given) or not max(2 * last, rows / 2) < given.max() < rows:
        return None
    # Another column of the input may hold the large ids, for another table that asks for them.
    others = [each.last_asked or 0 for each in window.layers if each.model == layer.model and each is not layer]
    if others and max(others) >= 0.8 * given.max():
        return None
    return window.finding(
        f"inputs hold ids up to {given.max():.0f}, {parameter.name} has {rows:,} rows, and none after row {last} is "
        "ever asked for",
        where=window.at(layer.called, parameter=parameter),
        severity="error",
        confidence=0.9,
        try_next="Look at what happens to the ids before this layer: a limit, a modulo, a division.",
        rows_asked=layer.rows_asked or 0,
    )


def _wrong_indices(window: Window, layer: Layer, parameter: Parameter) -> Finding | None:
    """Indices of several columns that ask for one row, or of fields for which the table has rows of their own."""
    highest, rows, left = layer.highest_asked, parameter.shape[0], error_left(window)
    if len(highest) < 2 or rows < FEWEST_ROWS or left is None or left < MUCH_LEFT:
        return None
    asked = f"the {len(highest)} columns of indices of {layer.name} ask for"
    if layer.rows_asked == 1:
        title = f"{asked} a single one of {rows:,} rows: all places look alike"
    elif min(highest) > 0 and 0.95 * rows <= sum(each + 1 for each in highest) <= rows:
        title = f"{asked} the same {max(highest) + 1:,} rows, and there are {rows:,}: enough for each to have its own"
    else:
        return None
    return window.finding(
        f"{title}; {left:.0%} of the error of a guess is left",
        where=window.at(layer.called, parameter=parameter),
        severity="warning",
        confidence=0.9,
        try_next="Look at how the indices are made: an offset for each field, or the number of each place.",
        highest=list(map(float, highest)),
    )
