"""discarded-result: a line of a model computes something that nobody takes."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.outcome import ends_well
from stetho.checks.evidence.symptoms import NOT_LEARNING, OVERFITTED
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    needs_end=True,
    explains=(*NOT_LEARNING, *OVERFITTED, "input-not-scaled", "missing-nonlinearity"),
)  # fmt: skip
def discarded_result(window: Window) -> Finding | None:
    """A line that computes something and throws it away.

    ## What it finds
    A statement in a model, a data set or a transform that is nothing but a calculation, such as `x + self.positions`
    or `scores.masked_fill(mask, -inf)`: its result gets no name and goes nowhere. A note where the model learns well
    all the same.

    ## Why it matters
    Operations on tensors give a new tensor and leave the old one as it is. What the line was written for (positions, a
    mask, an activation, a scale) never happens, and nothing fails.

    ## What to try
    Keep the result: `x = x + self.positions`. Or use the form that changes the tensor itself, as `masked_fill_`.

    ## When it is wrong
    A class that the program does not use; it has the fault, but not this run.
    """
    line = window.line("discarded")
    if line is None:
        raise Skip("no result is left lying in the program's classes")
    text = window.given(line, "discarded")
    what = f"`{text}`" if text not in (None, line) else "this line"
    return window.finding(
        f"the result of {what} is thrown away: what goes on is as if the line were not there",
        where=window.at(line),
        severity="note" if ends_well(window) else None,
        confidence=0.93,
    )
