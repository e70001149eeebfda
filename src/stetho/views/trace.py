"""A trace of operations as text: a line for each, then where bad values began."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from stetho.checks.evidence.autopsy import advice, evidence, sentence
from stetho.views.summary_lines import short_path

NO_LIMIT = 1 << 30
INDENT = " " * 9
ROWS_SHOWN = 60
AROUND = 8
"""With a bad value, so many rows before and after the one in which it began are shown."""


def trace_text(document: Mapping[str, Any], *, whole: bool = False) -> str:
    """The trace for a log; of a long one, the part that matters."""
    return "\n".join(trace_lines(document, whole=whole))


def trace_lines(document: Mapping[str, Any], *, whole: bool = False, width: int = NO_LIMIT) -> Iterator[str]:
    """One line for each operation that is shown, more where it is wider than `width`; then some for each birth."""
    rows, births = list(document.get("rows", [])), list(document.get("births", []))
    first = next((place for place, row in enumerate(rows) if row.get("bad")), None)
    shown, left_out = rows, 0
    if not whole and len(rows) > ROWS_SHOWN:
        middle = first if first is not None else len(rows)
        start = max(0, middle - AROUND) if first is not None else 0
        shown = rows[start : start + (2 * AROUND if first is not None else ROWS_SHOWN)]
        left_out = len(rows) - len(shown)
    longest = max((len(row["operation"]) for row in shown), default=0)
    for row in shown:
        yield from _lines(row, longest, width)
    if left_out:
        yield f"… {left_out} of {len(rows)} operations are not shown; `--all` shows them"
    if not births:
        yield f"{document.get('operations', len(rows))} operations, all finite where it matters"
    for birth in births:
        yield from birth_lines(birth, width)


def _lines(row: Mapping[str, Any], longest: int, width: int) -> Iterator[str]:
    mark = "!" if row.get("bad") else " "
    where = " · ".join(part for part in (row.get("layer"), _place(row.get("line"))) if part)
    begin, values = f"{mark} {row['number']:>5}  {row['operation']:<{longest}}", str(row.get("values", "")).strip()
    line = f"{begin}  {values}  {where}".rstrip()
    if len(line) <= width:
        yield line
        return
    # What it did and where stand first; its tensors, none of them torn apart, below.
    head = f"{begin}  {where}".rstrip()
    if len(head) > width:
        head = f"{begin.rstrip()}  {where}".rstrip()
    # A place is never torn apart either: it is what one looks for.
    yield from [head] if len(head) <= width else [begin.rstrip(), f"{INDENT}{where}"]
    line = INDENT
    for word in re.split(r"(?<=,) (?=[a-z])| (?=→)", values):
        if line.strip() and len(line) + len(word) > width:
            yield line.rstrip()
            line = INDENT
        line += f"{word} "
    yield line.rstrip()


def birth_lines(birth: Mapping[str, Any], width: int = NO_LIMIT) -> Iterator[str]:
    """Where a bad value began, why, and what would help."""
    where = " · ".join(part for part in (_place(birth.get("line")), birth.get("layer")) if part)
    yield from wrap(sentence(birth) + (f"  ({where})" if where else ""), width, subsequent_indent="    ")
    said = {name.replace("_", " "): value for name, value in evidence(birth).items()} | {"try": advice(birth)}
    for name, value in said.items():
        if value:
            yield from wrap(f"    {name}: {value}", width, subsequent_indent="      ")


def _place(line: str | None) -> str:
    file, _, number = (line or "").rpartition(":")
    return f"{short_path(Path(file))}:{number}" if file else ""
