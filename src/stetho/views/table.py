"""Tables for the terminal: plain columns, numbers to the right, names cut last."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from stetho.views.console import console_for


@dataclass(frozen=True, slots=True)
class Column:
    """The title of a column; text stands to the left and may be folded, numbers stand to the right."""

    title: str
    is_text: bool = False


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
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
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
