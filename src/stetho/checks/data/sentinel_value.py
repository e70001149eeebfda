"""sentinel-value: a number that stands for "missing" is fed as if it were measured."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.inputs import content_line, overall, reads_inputs_raw, trained_inputs
from stetho.checks.evidence.outcome import error_left
from stetho.checks.evidence.symptoms import NOT_LEARNING, OVERFITTED, RUNNING_AWAY
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    needs_end=True,
    explains=(*NOT_LEARNING, *OVERFITTED, *RUNNING_AWAY, "input-not-scaled", "features-of-different-scale",
              "initial-loss-off", "badly-scaled-init", "constant-input", "preprocessing-differs", "summed-loss"),
)  # fmt: skip
def sentinel_value(window: Window, *, rows: int = 100, left: float = 0.25) -> Finding | None:
    """A number that stands for "missing" is fed to the model.

    ## What it finds
    A column of the input, over at least `rows` rows, in which one and the same value comes again and again at the low
    or the high end, more than ten times as far from all others as these are from each other; the others are many
    different numbers. The first layer gets it as it is, and more than the share `left` of the error of a guess is left,
    if that is known.

    ## Why it matters
    A gap that was filled with -9999 decides the mean and the deviation of its column: standardised by them, all that
    was really measured is one and the same number. Not standardised, the gap is what the first layer hears.

    ## What to try
    Fill gaps with the mean or median of the training data, after or before the column is scaled, and tell the model
    which values were missing in a column of their own. Compute means and deviations without the gaps.

    ## When it is wrong
    A column that really is either in a narrow range or at one exact value far away.
    """
    found = window.probes.get("far_values")
    if found is None or int(found.get("rows", 0)) < rows:
        raise Skip(f"fewer than {rows} rows of numbers were looked at")
    if not int(found.get("columns", 0)):
        return None
    known = error_left(window)
    fed = [(model, batches) for model, batches in trained_inputs(window) if model.id == found.get("model")]
    if not fed or (known is not None and known < left):
        return None
    model, batches = fed[0]
    mean, deviation = overall(batches)
    if not reads_inputs_raw(window, model.id, float((mean**2 + deviation**2) ** 0.5)):
        return None
    value, low, high = (float(found[name]) for name in ("value", "low", "high"))
    columns, of = int(found["columns"]), int(found["of"])
    more = f" (so it is in {columns} of {of} columns)" if columns > 1 else ""
    return window.finding(
        f"{float(found['share']):.1%} of the values in column {int(found['column'])} of the input are exactly "
        f"{value:.5g}, and all others lie between {low:.5g} and {high:.5g}{more}: it stands for a missing one",
        where=window.at(window.line("sentinel") or content_line(window, model.id)),
        confidence=0.92,
        value=value,
        share=float(found["share"]),
        ranges_away=float(found["away"]),
        columns=float(columns),
    )
