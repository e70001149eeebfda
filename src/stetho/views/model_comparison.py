"""A comparison of two models on the terminal: verdict, reasons, both lines, the error, the table of matches."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from stetho.views import text
from stetho.views.folding import Line, folded, labelled
from stetho.views.summary_lines import short_place
from stetho.views.table import Column, print_table
from stetho.views.tensor_error import error_lines

if TYPE_CHECKING:
    from stetho.comparing.models.layers import Match
    from stetho.comparing.models.result import Difference, ModelComparison, Spot
    from stetho.comparing.porting.search import Port

INDENT = 14
WIDEST = 110
ROWS_SHOWN = 16
ROWS_BEFORE = 6
WORDS = {"same": "equal", "reshaped": "equal, other shape", "reordered": "equal, other order", "alone": "only here"}
AGREES = {
    "forward": "up to here all values agree, from here on they do not",
    "gradient": "the outputs agree, this gradient does not",
    "state": "outputs and gradients agree, this buffer does not",
}


def print_model_comparison(found: "ModelComparison", file: TextIO) -> None:
    """Draw a comparison on a stream."""
    from rich.text import Text

    from stetho.views.console import WIDTH_OF_A_PIPE, console_for

    console = console_for(file)
    width = console.width if console.width >= WIDTH_OF_A_PIPE else min(console.width, WIDEST)
    for line in comparison_lines(found, width):
        console.print(Text.assemble(*line))
    shown = matches_shown(found.matches)
    file.write("\n")
    print_table(*match_table(shown), file)
    left = len(found.matches) - len(shown)
    notes = [f"and {text.plural(left, 'more layer')}; --matches FILE writes all of them"] if left else []
    for note in [*notes, *found.notes]:
        for line in folded(note, 2, width, "dim"):
            console.print(Text.assemble(*line))


def comparison_lines(found: "ModelComparison", width: int) -> Iterator[Line]:
    """All that comes before the table, in styled lines of at most `width` letters."""
    yield from folded(f"compare · first: {found.names[0]} · second: {found.names[1]}", 2, width, "bold")
    yield []
    yield from labelled("weights", "dim", found.weights, "", INDENT, width)
    difference = found.first_difference
    if difference is None:
        words = f"{found.compared}, but for rounding (to {found.tolerance:g})"
        yield from labelled("equal", "bold green", words, "bold", INDENT, width)
        return
    sentence = f"{difference}: {AGREES[difference.stage]}"
    yield from labelled("different", "bold red", sentence, "bold", INDENT, width)
    yield from _difference_lines(difference, width)
    if found.output_error is not None and difference.stage == "forward":
        error = found.output_error
        cosine = f" · cosine {error.cosine:.8g}" if error.cosine == error.cosine else ""
        words = f"max abs {text.number(error.max_abs)}{cosine} at the output of the models"
        yield from labelled("in the end", "dim", words, "", INDENT, width)


def _difference_lines(difference: "Difference", width: int) -> Iterator[Line]:
    for number, reason in enumerate(difference.reasons):
        yield from labelled("because" if number == 0 else "", "dim", reason, "", INDENT, width)
    for label, spot in (("first", difference.one), ("second", difference.other)):
        if spot is not None:
            yield from labelled(label, "dim", _spot_words(spot), "", INDENT, width)
    if difference.error is not None:
        yield from error_lines(difference.error, INDENT, width)


def _spot_words(spot: "Spot") -> str:
    shape = "×".join(map(str, spot.shape)) or "one number"
    return f"{spot.operation} → {shape}{f'  {short_place(spot.line)}' if spot.line else ''}"


def matches_shown(matches: Sequence["Match"]) -> Sequence["Match"]:
    """As many rows as fit, those around the first that differs; without layers that only pass values on."""
    matches = [match for match in matches if match.how != "inside"]
    first = next((place for place, match in enumerate(matches) if match.how in ("differs", "alone")), 0)
    begin = max(0, min(first - ROWS_BEFORE, len(matches) - ROWS_SHOWN))
    return matches[begin : begin + ROWS_SHOWN]


def match_table(matches: Sequence["Match"]) -> tuple[list[Column], list[list[str]]]:
    """Which layer is which, and whether their outputs are the same."""
    columns = [
        Column("first", is_text=True),
        Column("second", is_text=True),
        Column("outputs", is_text=True),
        Column("class", is_text=True, is_optional=True),
    ]
    rows = []
    for match in matches:
        kinds = dict.fromkeys(each.kind for each in (match.one, match.other) if each is not None)
        names = [text.MISSING if each is None else each.name or "(model)" for each in (match.one, match.other)]
        how = WORDS.get(match.how, match.how) + (" (given)" if match.is_given else "")
        rows.append([*names, how, " / ".join(kinds)])
    return columns, rows


def print_port(port: "Port", file: TextIO) -> None:
    """Draw where each weight comes from, then what was confirmed and what is left."""
    rows = [[name, "×".join(map(str, each.shape)), str(each)] for name, each in port.recipes.items()]
    columns = [Column("weight", is_text=True), Column("shape"), Column("made from", is_text=True)]
    print_table(columns, rows, file)
    said = [port.sentence]
    if not port.is_confirmed:
        said.append(f"not confirmed: the outputs differ; {text.share(port.agreeing)} of all computed tensors agree")
    for what, names in (("without values", port.left), ("of the first, not used", port.unused)):
        if names:
            said.append(f"{what}: {', '.join(names)}")
    file.write("\n")
    for sentence in said:
        _print_folded(sentence, file)


def _print_folded(sentence: str, file: TextIO) -> None:
    """A sentence in lines that end between words."""
    from rich.text import Text

    from stetho.views.console import WIDTH_OF_A_PIPE, console_for

    console = console_for(file)
    width = console.width if console.width >= WIDTH_OF_A_PIPE else min(console.width, WIDEST)
    for line in folded(sentence, 2, width, ""):
        console.print(Text.assemble(*line), soft_wrap=True)
