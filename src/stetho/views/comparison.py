"""A comparison of two runs on the terminal: what is the same, what is not, the verdict, then rough to fine."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from stetho.views import text
from stetho.views.folding import Line, folded, labelled
from stetho.views.summary_lines import SEPARATOR, short_place
from stetho.views.table import Column, print_table
from stetho.views.tensor_error import error_lines

if TYPE_CHECKING:
    from stetho.comparing.runs.fact import Fact
    from stetho.comparing.runs.places import Place
    from stetho.comparing.runs.result import RunComparison

INDENT = 14
WIDEST = 110
FACTS_SHOWN = 8
EVENTS_SHOWN = 8
PLACES_SHOWN = 12
WIDTH_OF_A_SPARK_LINE = 32
AREAS = ("environment", "configuration", "hyperparameters")
STAGES = {
    "param": "weights",
    "act": "output",
    "act_grad": "gradient at output",
    "grad": "gradient",
    "eval": "output in evaluation",
}


def print_comparison(found: "RunComparison", file: TextIO) -> None:
    """Draw a comparison on a stream."""
    from rich.text import Text

    from stetho.views.console import WIDTH_OF_A_PIPE, console_for

    console = console_for(file)
    width = console.width if console.width >= WIDTH_OF_A_PIPE else min(console.width, WIDEST)
    for line in comparison_lines(found, width):
        console.print(Text.assemble(*line))
    tensors = [place for place in found.places if place.stage != "data"]
    if tensors:
        file.write("\n")
        print_table(*place_table(tensors), file)
        left = len(tensors) - PLACES_SHOWN
        if left > 0:
            file.write(f"and {text.plural(left, 'more place')} of this step\n")
    for line in note_lines(found, width):
        console.print(Text.assemble(*line))


def comparison_lines(found: "RunComparison", width: int) -> Iterator[Line]:
    """All that comes before the table, in styled lines of at most `width` letters."""
    yield from folded(f"compare · first: {found.names[0]} · second: {found.names[1]}", 2, width, "bold")
    yield []
    yield from _fact_lines(found, width)
    yield from _loss_lines(found, width)
    if found.randomness:
        yield from labelled("randomness", "dim", SEPARATOR.join(found.randomness), "", INDENT, width)
    yield []
    style = "bold green" if found.is_equal else "bold red"
    label = "equal" if found.verdict.kind == "equal" else "alike" if found.is_equal else "different"
    yield from labelled(label, style, found.verdict.sentence, "bold", INDENT, width)
    if found.verdict.is_small and found.verdict.kind != "rounding":
        small = "the difference is of the size of rounding, and the losses stay within the tolerance"
        yield from labelled("", "", small, "", INDENT, width)
    if found.growth is not None and found.verdict.kind != "rounding":
        yield from labelled("growth", "dim", found.growth.sentence, "", INDENT, width)
    for number, reason in enumerate(found.reasons):
        yield from labelled("because" if number == 0 else "", "dim", reason, "", INDENT, width)
    if found.first_difference is not None:
        yield from _place_lines(found.first_difference, width)
    for row in found.operations[:1]:
        yield from _operation_lines(row, width)
    for number, event in enumerate(found.compilation[:EVENTS_SHOWN]):
        times = f" ({event.count} times)" if event.count > 1 else ""
        words = f"{event.what} at {short_place(event.line)}{times}: {event.reason}"
        yield from labelled("compiler" if number == 0 else "", "dim", words, "", INDENT, width)


def _fact_lines(found: "RunComparison", width: int) -> Iterator[Line]:
    unlike = {area: [fact for fact in found.facts if fact.area == area] for area in AREAS}
    same = [area for area in AREAS if not unlike[area]] + (["data"] if found.data.kind == "same" else [])
    if same:
        yield from labelled("the same", "dim", SEPARATOR.join(same), "", INDENT, width)
    for area in AREAS:
        yield from _facts(area, unlike[area], width)
    if found.data.kind != "same":
        yield from labelled(
            "data", "yellow" if not found.data.is_same else "dim", found.data.sentence, "", INDENT, width
        )


def _facts(area: str, facts: Sequence["Fact"], width: int) -> Iterator[Line]:
    label = {"configuration": "settings", "hyperparameters": "training"}.get(area, area)
    for number, fact in enumerate(facts[:FACTS_SHOWN]):
        places = dict.fromkeys(short_place(line) for line in fact.where if line)
        words = f"{fact}" + (f"  ({' and '.join(places)})" if places else "")
        yield from labelled(label if number == 0 else "", "yellow", words, "", INDENT, width)
    if len(facts) > FACTS_SHOWN:
        yield from labelled("", "", f"and {len(facts) - FACTS_SHOWN} more", "dim", INDENT, width)


def _loss_lines(found: "RunComparison", width: int) -> Iterator[Line]:
    curve = found.curve
    if not len(curve.steps):
        yield from labelled("loss", "dim", "no step whose loss both runs recorded", "", INDENT, width)
        return
    steps = text.plural(len(curve.steps), "step")
    if curve.first_unequal is None:
        words = f"equal in all {steps}"
    elif curve.first_off is None:
        words = f"within {curve.tolerance:g} of each other in all {steps}; not equal from step {curve.first_unequal} on"
    else:
        one, other, apart = curve.at(curve.first_off) or (0.0, 0.0, 0.0)
        words = f"{text.number(one)} and {text.number(other)} at step {curve.first_off}: {_share(apart)} apart"
        words += f", the first of {steps} beyond {curve.tolerance:g}" if len(curve.steps) > 1 else ""
    yield from labelled("loss", "dim", words, "", INDENT, width)
    if curve.first_unequal is not None and len(curve.steps) > 2:
        for name, values in (("first", curve.one), ("second", curve.other)):
            ends = f"{text.number(float(values[0]))} → {text.number(float(values[-1]))}"
            bars = text.spark_line(values.tolist(), WIDTH_OF_A_SPARK_LINE)
            yield from labelled("", "", f"{name:<7}{bars}  {ends}", "", INDENT, width)


def _place_lines(place: "Place", width: int) -> Iterator[Line]:
    if place.stage in ("data", "loss"):
        return
    path = place.name.split(".")
    steps = [".".join(path[: end + 1]) for end in range(len(path))]
    way = " › ".join(f"`{name}`" for name in dict.fromkeys(steps)) if place.name else "the model itself"
    yield from labelled("where", "dim", f"{way} ({place.layer.get('class', '?')})", "", INDENT, width)
    for label, lines in (("made at", place.where), ("called at", place.called)):
        both = [short_place(line) if line else text.MISSING for line in lines]
        if any(lines):
            yield from labelled(label, "dim", " and ".join(dict.fromkeys(both)), "", INDENT, width)
    error = place.tensors
    if error is not None and not error.is_equal:
        yield from error_lines(error, INDENT, width)


def _operation_lines(row: dict[str, Any], width: int) -> Iterator[Line]:
    lines = dict.fromkeys(short_place(line) for line in row["lines"] if line)
    place = f"  ({' and '.join(lines)})" if lines else ""
    yield from labelled("operation", "dim", f"{row['sentence']}{place}", "", INDENT, width)
    for detail in row["details"]:
        yield from labelled("", "", str(detail), "", INDENT, width)


def place_table(places: Sequence["Place"]) -> tuple[list[Column], list[list[str]]]:
    """The places that differ, in the order in which they are computed."""
    columns = [
        Column("what", is_text=True),
        Column("name", is_text=True),
        Column("first"),
        Column("second"),
        Column("error"),
        Column("class", is_text=True, is_optional=True),
    ]
    rows = []
    for place in places[:PLACES_SHOWN]:
        sides = [side.get("rms", side.get("value")) for side in (place.one, place.other)]
        what = STAGES.get(place.stage, place.role.removeprefix("state."))
        rows.append(
            [what, place.name or "(model)", *map(text.number, sides), _size(place), str(place.layer.get("class") or "")]
        )
    return columns, rows


def _size(place: "Place") -> str:
    if place.tensors is not None:
        return text.number(place.tensors.relative)
    alone = [who for who, side in (("first", place.one), ("second", place.other)) if side]
    if len(alone) == 1:
        return f"{alone[0]} only"
    return "other shape" if place.one.get("count") != place.other.get("count") else text.number(place.error)


def note_lines(found: "RunComparison", width: int) -> Iterator[Line]:
    """What could not be said, and how it can be."""
    notes = list(found.notes)
    if any(place.stage != "data" for place in found.places):
        notes.insert(0, "first and second: root mean square of the tensor; error: relative to its size")
    if notes:
        yield []
    for note in notes:
        yield from folded(note, 2, width, "dim")


def _share(value: float) -> str:
    return "beyond measure" if value == float("inf") else text.share(value)
