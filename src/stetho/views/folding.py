"""Sentences folded to the width of a terminal, with a label in front: lines of styled pieces."""

import textwrap
from collections.abc import Iterator

Line = list[tuple[str, str]]
"""Pieces of text, each with its style."""


def folded(content: str, indent: int, width: int, style: str, *, first_indent: int = 0) -> Iterator[Line]:
    """A text in lines that fit; all but the first are indented. A word that is longer than a line stays whole.

    >>> list(folded("one two three four five", 2, 22, ""))
    [[('one two three four', '')], [('  five', '')]]
    """
    parts = textwrap.wrap(
        content,
        max(width, indent + 20),
        initial_indent=" " * first_indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for part in parts:
        yield [(part, style)]


def labelled(
    label: str, label_style: str, content: str, style: str, indent: int, width: int, *, start: int = 2
) -> Iterator[Line]:
    """A text with a label in the column `start`, and the text itself in the column `indent`.

    >>> for line in labelled("try", "dim", "a smaller rate", "", 8, 30):
    ...     print("".join(piece for piece, _ in line))
      try   a smaller rate
    """
    lines = folded(content, indent, width, style, first_indent=indent)
    for place, line in enumerate(lines):
        text = line[0][0][indent:]
        front = f"{'':{start}}{label:<{indent - start}}" if place == 0 else " " * indent
        yield [(front, label_style if place == 0 else ""), (text, style)]
