"""Words that a vocabulary holds and that are never met: they are looked up in another form than they were put in."""

import numpy as np

from stetho.checks.evidence.outcome import error_left
from stetho.checks.run.facts import Parameter
from stetho.checks.window import Window
from stetho.findings.finding import Finding

A_QUARTER, NOTHING_LEARNT = 0.25, 0.9
FEWEST_ROWS, MANY_TIMES = 16, 20
"""With so many samples for each row, any word of the vocabulary has come."""


def unknown_words(window: Window, parameter: Parameter, unused: float) -> Finding | None:
    """Many rows without a use, beside a line that has a number for unknown words, and nothing that is learnt."""
    line, left, rows = window.line("looked up"), error_left(window), parameter.shape[0]
    seen = float(np.nansum(window.steps["batch_size"]))
    if line is None or left is None or left < NOTHING_LEARNT or unused < A_QUARTER:
        return None
    if rows < FEWEST_ROWS or seen < MANY_TIMES * rows:
        return None
    return window.finding(
        f"{unused:.0%} of the {rows:,} rows of {parameter.name} were never used by {seen:,.0f} samples, and words that "
        f"are not known become one number; {left:.0%} of the error of a guess is left",
        where=window.at(line, parameter=parameter),
        severity="warning",
        confidence=0.8,
        try_next="Clean words in one function, for the vocabulary and for the lookup, and count how many are unknown.",
        unused_share=unused,
    )
