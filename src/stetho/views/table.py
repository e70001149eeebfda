"""Tables for the terminal: plain columns, numbers to the right, names cut last."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from stetho.views.console import console_for

GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """The title of a column; text stands to the left and may be folded, numbers stand to the right.

    An optional column is left out where the table would be too wide with it.
    """

    title: str
    is_text: bool = False
    is_optional: bool = False


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], file: TextIO) -> None:
    """Draw a table.

    >>> import sys
    >>> print_table([Column("layer", is_text=True), Column("rms")], [["fc1", "0.5"], ["fc2", "12.0"]], sys.stdout)
    layer   rms
    fc1     0.5
    fc2    12.0
    """
    from rich.table import Table
    from rich.text import Text

    console = console_for(file)
    columns, rows = fitted(columns, rows, console.width)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(
            Text(column.title),
            justify="left" if column.is_text else "right",
            overflow="fold",
            no_wrap=not column.is_text,
        )
    for row in rows:
        table.add_row(*map(Text, row))
    with console.capture() as drawn:
        console.print(table, soft_wrap=False)
    for line in drawn.get().splitlines():
        file.write(line.rstrip() + "\n")


def fitted(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> tuple[Sequence[Column], Sequence[Sequence[str]]]:
    """The table with as many of its optional columns as fit; the last of them goes first."""
    kept = list(range(len(columns)))
    widest = [max(len(cell) for cell in (column.title, *(row[i] for row in rows))) for i, column in enumerate(columns)]
    for place in reversed(range(len(columns))):
        if columns[place].is_optional and sum(widest[i] + GAP for i in kept) - GAP > width:
            kept.remove(place)
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in rows]
