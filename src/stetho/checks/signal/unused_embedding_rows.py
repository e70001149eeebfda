"""unused-embedding-rows: rows of an embedding that no input ever asks for."""

from stetho.checks.declare import Skip, check
from stetho.checks.facts import Layer, Parameter
from stetho.checks.outcome import error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding

FEWEST_ROWS = 4
"""Kinds of segments are two or three, and often only the first is used."""
MUCH_LEFT = 0.4


@check(
    severity="note",
    explains=("labels-independent-of-inputs", "loss-plateau", "metric-not-following", "stopped-early",
              "too-small-model"),
)  # fmt: skip
def unused_embedding_rows(window: Window, *, share: float = 0.5, steps: int = 50) -> Finding | None:
    """Embedding rows that are never used.

    ## What it finds
    An embedding of which more than the share `share` of the rows has never got a gradient after `steps` steps, as the
    state of the optimizer tells. It is a note, save where much of the error of a guess is left and the indices cannot
    be meant: all places of a sequence ask for one row, or several fields share the first rows of a table that has room
    for each of them. `constant-input` tells when no input makes a difference.

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
        wrong = _wrong_indices(window, layer, parameter)
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
