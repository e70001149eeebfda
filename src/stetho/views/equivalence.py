"""The result of an equivalence test on the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from stetho.views import text
from stetho.views.folding import Line, labelled
from stetho.views.summary_lines import SEPARATOR
from stetho.views.table import Column, print_table

if TYPE_CHECKING:
    from stetho.equivalence.result import Difference, Equivalence

INDENT = 14
WIDEST = 110
ROWS_SHOWN = 10


def print_equivalence(found: "Equivalence", file: TextIO) -> None:
    """Draw a result on a stream."""
    from rich.text import Text

    from stetho.views.console import WIDTH_OF_A_PIPE, console_for

    console = console_for(file)
    width = console.width if console.width >= WIDTH_OF_A_PIPE else min(console.width, WIDEST)
    for line in equivalence_lines(found, width):
        console.print(Text.assemble(*line))
    if found.differences:
        file.write("\n")
        print_table(*difference_table(found), file)
        left = len(found.differences) - ROWS_SHOWN
        if left > 0:
            file.write(f"and {text.plural(left, 'more tensor')} of this step\n")


def equivalence_lines(found: "Equivalence", width: int) -> Iterator[Line]:
    """All that comes before the table, in styled lines of at most `width` letters."""
    yield [(f"equivalent · {found.test}", "bold")]
    yield []
    yield from labelled("first", "dim", found.ways[0], "", INDENT, width)
    yield from labelled("second", "dim", found.ways[1], "", INDENT, width)
    first = found.first_difference
    if first is None:
        words = f"all tensors of {text.plural(found.steps, 'step')}, as far as rounding goes"
        yield from labelled("equal", "bold green", words, "bold", INDENT, width)
    else:
        yield from labelled("different", "bold red", f"first at step {first.step}: {first}", "bold", INDENT, width)
        yield from labelled("error", "dim", _error(first), "", INDENT, width)
        for number, reason in enumerate(found.reasons):
            yield from labelled("because" if number == 0 else "", "dim", reason, "", INDENT, width)
    for note in found.notes:
        yield from labelled("note", "dim", note, "", INDENT, width)


def _error(difference: "Difference") -> str:
    error = difference.error
    if error is None:
        sides = [f"shape {list(shape)}" if shape is not None else "nothing" for shape in difference.shapes]
        return f"{sides[0]} in the first, {sides[1]} in the second"
    words = [
        f"max abs {text.number(error.max_abs)}",
        f"max rel {text.number(error.max_rel)}",
        *([f"cosine {error.cosine:.8g}"] if error.cosine == error.cosine else []),
        *([f"{text.count(error.ulps)} ulps"] if error.ulps is not None else []),
        f"worst {error.worst}",
    ]
    return SEPARATOR.join(words)


def difference_table(found: "Equivalence") -> tuple[list[Column], list[list[str]]]:
    """The tensors that differ, in the order in which they are computed."""
    columns = [
        Column("what", is_text=True),
        Column("name", is_text=True),
        Column("error"),
        Column("max abs"),
        Column("class", is_text=True, is_optional=True),
    ]
    rows = [
        [
            each.stage,
            each.name or "–",
            text.MISSING if each.error is None else text.number(each.error.relative),
            text.MISSING if each.error is None else text.number(each.error.max_abs),
            each.kind,
        ]
        for each in found.differences[:ROWS_SHOWN]
    ]
    return columns, rows
