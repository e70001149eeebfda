"""Indices of an embedding that cannot be meant: cut off on their way, or the same for all places or fields."""

import numpy as np

from stetho.checks.evidence.outcome import error_left
from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.run.series import Array
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LOOKS = 20
"""Rows that are asked for are counted in so many passes."""
MANY_ROWS = 16
FEWEST_ROWS = 4
"""Kinds of segments are two or three, and often only the first is used."""
MUCH_LEFT = 0.4
LARGE_PART, LARGER = 0.3, 1.5
"""Rare words may share a row: they are few, however many kinds of them there are."""


def cut_off(window: Window, layer: Layer, parameter: Parameter) -> Finding | None:
    """Ids that the table has rows for, and that do not come there."""
    given = _ids(window, layer)
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
        where=window.at(window.given(layer.called, f"indices of {layer.name}"), parameter=parameter),
        severity="error",
        confidence=0.9,
        try_next="Look at what happens to the ids before this layer: a limit, a modulo, a division.",
        rows_asked=layer.rows_asked or 0,
    )


def piled_up(window: Window, layer: Layer, parameter: Parameter) -> Finding | None:
    """Ids that no table of the model has rows for, and that all come to the last row of this one."""
    given, rows, share = _ids(window, layer), parameter.shape[0], layer.share_at_end
    if share is None or rows < MANY_ROWS or not len(given) or share < max(LARGE_PART, 10 / rows):
        return None
    # A larger table may be what the ids are for; this one then has something else, as places that are cut off.
    largest = max(each.shape[0] for each in window.parameters if each.model == layer.model and _is_table(window, each))
    left = error_left(window)
    if not given.max() >= max(largest, LARGER * rows) or left is None or left < MUCH_LEFT:
        return None
    return window.finding(
        f"inputs hold ids up to {given.max():.0f}, {parameter.name} has {rows:,} rows, and {share:.0%} of all that is "
        f"asked of it is the last one: whatever has no row shares it; {left:.0%} of the error of a guess is left",
        where=window.at(window.given(layer.called, f"indices of {layer.name}"), parameter=parameter),
        severity="warning",
        confidence=0.9,
        try_next="Give the table a row for each id, and remove the limit: without it the lookup says what is missing.",
        share_at_end=share,
    )


def _ids(window: Window, layer: Layer) -> Array:
    """The highest ids that the first passes were given."""
    passes = window.batches("train")
    own = (passes["model"] == layer.model) & np.char.startswith(passes["dtype"].astype(str), "int")
    highest: Array = passes["max"][own][:LOOKS]
    return highest


def _is_table(window: Window, parameter: Parameter) -> bool:
    layer = window.layer(parameter.layer, parameter.model)
    return layer is not None and layer.is_kind("Embedding")


def shared_rows(window: Window, layer: Layer, parameter: Parameter) -> Finding | None:
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
        where=window.at(window.given(layer.called, f"indices of {layer.name}"), parameter=parameter),
        severity="warning",
        confidence=0.9,
        try_next="Look at how the indices are made: an offset for each field, or the number of each place.",
        highest=list(map(float, highest)),
    )
