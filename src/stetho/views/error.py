"""An unhandled error as a person reads it: the user's frames with their values, then what the error means."""

import textwrap
from collections.abc import Iterator
from typing import TextIO

from stetho.explaining.report import ErrorReport, FrameReport
from stetho.explaining.scene import Explanation
from stetho.views import text
from stetho.views.summary_lines import short_place

WIDEST_NAME = 16
NARROWEST = 40
LONGEST_LABEL = 11
Line = tuple[str, str]
"""A line and the style it is drawn in."""


def print_error(report: ErrorReport, file: TextIO) -> None:
    """Draw an error on a stream."""
    from rich.text import Text

    from stetho.views.console import console_for

    console = console_for(file)
    for line, style in error_lines(report, console.width):
        console.print(Text(line, style=style))


def error_lines(report: ErrorReport, width: int) -> Iterator[Line]:
    """The error as plain lines of at most `width` letters, save for a word that is longer."""
    yield from heading(report)
    for frame in report.frames:
        yield from _frame(frame, width)
    if report.explanation is not None:
        yield "", ""
        yield from explanation_lines(report.explanation, width)


def heading(report: ErrorReport) -> Iterator[Line]:
    """What happened, and in which layer and line."""
    layer = f" in layer `{report.layer}`" if report.layer else ""
    place = f" · {short_place(report.where)}" if report.where else ""
    yield f"stetho · {report.kind}{layer}{place}", "bold red"


def _frame(frame: FrameReport, width: int) -> Iterator[Line]:
    if frame.is_folded:
        whose = f"of {frame.library}" if frame.library else "of your own"
        place = f", down to {frame.file.rpartition('/')[2]}:{frame.line} in {frame.function}"
        yield f"  … {text.plural(frame.folded, 'frame')} {whose}{place}", "dim"
        return
    yield f"  {short_place(f'{frame.file}:{frame.line}')} in {frame.function}", "bold"
    if frame.code:
        yield text.clipped(f"    {frame.code}", width), ""
    longest = min(max((len(name) for name, _ in frame.values), default=0), WIDEST_NAME)
    for name, value in frame.values:
        yield text.clipped(f"      {name:<{longest}}  {value}", width), "dim"


def explanation_lines(explanation: Explanation, width: int) -> Iterator[Line]:
    """What the error means, the facts that show it, and what would fit."""
    yield from labelled("why", explanation.title, width, "bold")
    for label, fact in explanation.facts:
        yield from labelled(label, _shortened(fact), width, "")
    for number, fit in enumerate(explanation.fits):
        yield from labelled("fits" if number == 0 else "or", fit, width, "green")


def labelled(label: str, words: str, width: int, style: str) -> Iterator[Line]:
    indent = " " * 14
    wrapped = textwrap.wrap(words, max(width - len(indent), NARROWEST), break_long_words=False, break_on_hyphens=False)
    if len(label) > LONGEST_LABEL:
        # An expression of the program's, as `model(torch.randn(8, 4))`: it has a row of its own.
        yield text.clipped(f"  {label}", width), style
        label = ""
    for number, line in enumerate(wrapped):
        yield (f"  {label:<{LONGEST_LABEL}} {line}" if number == 0 else f"{indent}{line}"), style


def _shortened(fact: str) -> str:
    """A fact that begins with a place, with that place as one would type it."""
    place, colon, rest = fact.partition(": ")
    return f"{short_place(place)}{colon}{rest}" if colon and place.rpartition(":")[2].isdigit() else fact
