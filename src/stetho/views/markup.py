"""Tables as Markdown and as HTML, for documents and notebooks."""

from collections.abc import Iterable, Sequence
from html import escape

from stetho.views.table import Column


def markdown_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown.

    >>> print(markdown_table([Column("layer", is_text=True), Column("rms")], [["  fc|1", "0.5"]]))
    | layer | rms |
    | :-- | --: |
    | &nbsp;&nbsp;fc\\|1 | 0.5 |
    """
    lines = [_line(column.title for column in columns)]
    lines.append(_line(":--" if column.is_text else "--:" for column in columns))
    lines += [_line(map(_markdown_cell, row)) for row in rows]
    return "\n".join(lines)


def html_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """A table in HTML that brings its own looks.

    >>> html_table([Column("rms")], [["0.5"]])
    '<table class="stetho"><thead><tr><th style="text-align:right">rms</th></tr></thead><tbody>\
<tr><td style="text-align:right">0.5</td></tr></tbody></table>'
    """
    styles = [
        "text-align:left;white-space:pre;font-family:monospace" if column.is_text else "text-align:right"
        for column in columns
    ]
    head = "".join(
        f'<th style="text-align:{"left" if column.is_text else "right"}">{escape(column.title)}</th>'
        for column in columns
    )
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{style}">{escape(cell)}</td>' for style, cell in zip(styles, row, strict=True))
        + "</tr>"
        for row in rows
    )
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<table class="stetho">{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(cell: str) -> str:
    indent = len(cell) - len(cell.lstrip(" "))
    return "&nbsp;" * indent + cell.lstrip(" ").replace("|", "\\|")
