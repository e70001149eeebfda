"""A column of the input that is 0 throughout, where a program looks numbers up as text and fills the gaps with 0."""

from stetho.checks.evidence.outcome import error_left
from stetho.checks.window import Window
from stetho.findings.finding import Finding

LEAST_ROWS = 200
LEAST_STEPS = 100
LEFT = 0.25


def emptied_column(window: Window) -> Finding | None:
    """Columns of zeros alone may be there by right; beside such a translation, and much error, they were lost."""
    line, found, left = window.line("mapped"), window.probes.get("far_values", {}), error_left(window)
    columns = [int(each) for each in found.get("zeros", ())]
    if line is None or not columns or int(found.get("rows", 0)) < LEAST_ROWS or window.count < LEAST_STEPS:
        return None
    if left is None or left < LEFT:
        return None
    which = f"column {columns[0]}" if len(columns) == 1 else f"columns {', '.join(map(str, columns[:4]))}"
    return window.finding(
        f"{which} of the input: 0 in all of {int(found['rows']):,} rows, in a program that translates a column by "
        "numbers in quotes and fills what it misses with 0",
        where=window.at(line),
        severity="warning",
        confidence=0.85,
        try_next="Compare the keys of the dictionary with the values of the column, and their types: 1 is not '1'.",
        rows=float(found["rows"]),
        columns=float(len(columns)),
    )
