"""Tables for the terminal: plain columns, numbers to the right, names cut last."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from stetho.views.console import console_for, is_unbounded

GAP = 2
SHORTEST_NAME = 20


@dataclass(frozen=True, slots=True)
class Column:
    """The title of a column; text stands to the left and may be folded, numbers stand to the right.

    An optional column is left out where the table would be too wide with it; dotted names are folded at their dots,
    and indented ones at their underscores too. Class names are folded at their capitals, before any column goes.
    """

    title: str
    is_text: bool = False
    is_optional: bool = False
    is_dotted: bool = False
    is_class: bool = False


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], file: TextIO) -> list[str]:
    """Draw a table; gives the titles of columns that there was no room for.

    >>> import sys
    >>> _ = print_table([Column("layer", is_text=True), Column("rms")], [["fc1", "0.5"], ["fc2", "12.0"]], sys.stdout)
    layer   rms
    fc1     0.5
    fc2    12.0
    """
    if is_unbounded(file) and not any("\n" in "".join(row) for row in rows):
        file.write("\n".join([*_whole_lines(columns, rows), ""]))
        return []
    from rich.table import Table
    from rich.text import Text

    console = console_for(file)
    wanted = columns
    columns, rows = fitted(columns, rows, console.width)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(
            Text(column.title),
            justify="left" if column.is_text else "right",
            overflow="fold",
            no_wrap=column.is_dotted or column.is_class or not column.is_text,
        )
    for row in rows:
        table.add_row(*map(Text, row))
    with console.capture() as drawn:
        console.print(table, soft_wrap=False)
    for line in drawn.get().splitlines():
        file.write(line.rstrip() + "\n")
    return [column.title for column in wanted if column not in columns]


def no_room_for(missing: Sequence[str]) -> str:
    """What is said of columns that a table was too narrow for.

    >>> no_room_for(["kept", "line"])
    'no room for: kept, line; a wider terminal, a pipe or --json has them'
    """
    return (
        f"no room for: {', '.join(missing)}; a wider terminal, a pipe or --json has {'them' if missing[1:] else 'it'}"
    )


def _whole_lines(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """What rich would draw where nothing is folded or coloured, in a fraction of its time."""
    lines = [[column.title for column in columns], *rows]
    cells = list(zip(*lines, strict=True))
    if not _WIDE.search("".join(["".join(line) for line in lines])):
        widths = [max(map(len, column)) for column in cells]
        template = (" " * GAP).join(
            f"{{:{'<' if column.is_text else '>'}{width}}}" for column, width in zip(columns, widths, strict=True)
        )
        yield from [template.format(*line).rstrip() for line in lines]
        return
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in cells]
    for line in lines:
        padded = []
        for column, cell, width in zip(columns, line, widths, strict=True):
            space = " " * (width - cell_len(cell))
            padded.append(cell + space if column.is_text else space + cell)
        yield (" " * GAP).join(padded).rstrip()


_WIDE = re.compile("[^\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027]")
"""Letters that may be wider or narrower than one place: all but those of western languages and their signs."""


def fitted(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int
) -> tuple[Sequence[Column], Sequence[Sequence[str]]]:
    """The table with as many of its optional columns as fit; the last of them goes first."""
    kept = list(range(len(columns)))
    widest = _widths(columns, rows)
    if sum(widest) + GAP * (len(widest) - 1) > width:
        rows = [
            [broken_at_capitals(cell) if column.is_class else cell for column, cell in zip(columns, row, strict=True)]
            for row in rows
        ]
        widest = _widths(columns, rows)
    for place in reversed(range(len(columns))):
        if columns[place].is_optional and sum(widest[i] + GAP for i in kept) - GAP > width:
            kept.remove(place)
    over = sum(widest[i] + GAP for i in kept) - GAP - width
    at_dots = {i: max(widest[i] - over, SHORTEST_NAME) for i in kept if columns[i].is_dotted and over > 0}
    return [columns[i] for i in kept], [
        [broken_at_dots(row[i], at_dots[i]) if i in at_dots else row[i] for i in kept] for row in rows
    ]


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[int]:
    widest = [len(column.title) for column in columns]
    for row in rows:
        for place, cell in enumerate(row):
            widest[place] = max(widest[place], max(map(len, cell.splitlines()), default=0))
    return widest


def broken_at_capitals(name: str, width: int = SHORTEST_NAME) -> str:
    """The name of a class on several lines, each with as many of its words as fit.

    >>> broken_at_capitals("CausalSelfAttentionWithRotaryEmbedding").splitlines()
    ['CausalSelfAttention', 'WithRotaryEmbedding']
    """
    return _joined(re.findall(r"[^A-Z_]*_+|[A-Z]*[^A-Z_]+|[A-Z]+", name), width)


def _joined(parts: Sequence[str], width: int, indent: str = "") -> str:
    lines = [""]
    for part in parts:
        if lines[-1] and len(indent) + len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(indent + line for line in lines)


def broken_at_dots(name: str, width: int) -> str:
    """A dotted name on several lines, each as far to the right and with as many of its parts as fit.

    >>> broken_at_dots("encoder.layer.0.attention.dense", 16).splitlines()
    ['encoder.layer.0.', 'attention.dense']
    >>> broken_at_dots("    relative_attention_bias", 20).splitlines()
    ['    relative_', '    attention_bias']
    """
    text = name.lstrip(" ")
    indent = name[: len(name) - len(text)]
    parts = re.findall(r"[^._]*[._]|[^._]+$", text) if indent else re.findall(r"[^.]*\.|[^.]+$", text)
    return _joined(parts, width, indent)
