"""A trace of operations as text: a line for each, then where bad values began."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stetho.checks.autopsy import advice, evidence, sentence
from stetho.views.summary_lines import short_path

ROWS_SHOWN = 60
AROUND = 8
"""With a bad value, so many rows before and after the one in which it began are shown."""


def trace_text(document: Mapping[str, Any], *, whole: bool = False) -> str:
    """The trace for a terminal or a log; of a long one, the part that matters."""
    return "\n".join(trace_lines(document, whole=whole))


def trace_lines(document: Mapping[str, Any], *, whole: bool = False) -> Iterator[str]:
    """One line for each operation that is shown, then one or more for each birth."""
    rows, births = list(document.get("rows", [])), list(document.get("births", []))
    first = next((place for place, row in enumerate(rows) if row.get("bad")), None)
    shown, left_out = rows, 0
    if not whole and len(rows) > ROWS_SHOWN:
        middle = first if first is not None else len(rows)
        start = max(0, middle - AROUND) if first is not None else 0
        shown = rows[start : start + (2 * AROUND if first is not None else ROWS_SHOWN)]
        left_out = len(rows) - len(shown)
    width = max((len(row["operation"]) for row in shown), default=0)
    for row in shown:
        yield _line(row, width)
    if left_out:
        yield f"… {left_out} of {document.get('operations', len(rows))} operations are not shown; `--all` shows them"
    if not births:
        yield f"{document.get('operations', len(rows))} operations, all finite where it matters"
    for birth in births:
        yield from birth_lines(birth)


def _line(row: Mapping[str, Any], width: int) -> str:
    mark = "!" if row.get("bad") else " "
    place = _place(row.get("line"))
    where = " · ".join(part for part in (row.get("layer"), place) if part)
    return f"{mark} {row['number']:>5}  {row['operation']:<{width}}  {row.get('values', '')}  {where}".rstrip()


def birth_lines(birth: Mapping[str, Any]) -> Iterator[str]:
    """Where a bad value began, why, and what would help."""
    where = " · ".join(part for part in (_place(birth.get("line")), birth.get("layer")) if part)
    yield sentence(birth) + (f"  ({where})" if where else "")
    for name, value in evidence(birth).items():
        yield f"    {name.replace('_', ' ')}: {value}"
    if help_ := advice(birth):
        yield f"    try: {help_}"


def _place(line: str | None) -> str:
    file, _, number = (line or "").rpartition(":")
    return f"{short_path(Path(file))}:{number}" if file else ""
