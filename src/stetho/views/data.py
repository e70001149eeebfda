"""A data pipeline in the terminal: what fails first, then tables of fields, batches and transforms, then the set."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from stetho.pipeline.facts import Failure, Field, Report, Split, Stage
from stetho.views import text
from stetho.views.console import console_for
from stetho.views.data_lines import duration, facts, failed, keys_text
from stetho.views.error import error_lines, labelled
from stetho.views.summary_lines import LABEL_WIDTH, SEPARATOR, short_place, wrapped
from stetho.views.table import Column, print_table

LEAST_SHARE = 0.02
"""Functions that take less of the time than this are not listed, unless they are transforms of a chain."""
STAGES_SHOWN = 30
CLASSES_SHOWN = 10
FAILURES_SHOWN = 10
FAILURES_EXPLAINED = 1
LONGEST_OUTPUT = 60
FIELDS_SHOWN = 60


def print_data(report: Report, file: TextIO) -> None:
    """Draw a report on a stream."""
    from rich.text import Text

    console = console_for(file)

    def say(line: str, style: str = "") -> None:
        console.print(Text(line, style=style))

    say(heading(report), "bold red" if report.failures else "bold")
    for label, parts in facts(report):
        for number, part in enumerate(wrapped(parts, console.width - LABEL_WIDTH - 2)):
            say(f"  {label if number == 0 else '':<{LABEL_WIDTH}}{part}")
    for failure in report.failures[:FAILURES_EXPLAINED]:
        say("")
        say(failed(failure), "bold red")
        for line, style in error_lines(failure.error, console.width):
            say(line, style)
    for line in _further(report.failures):
        say(line)
    for title, columns, rows in _tables(report):
        if rows:
            say("")
            say(title, "bold")
            print_table(columns, rows, file)
    for title, lines in _closing(report):
        say("")
        say(title, "bold")
        for label, words in lines:
            for piece, style in labelled(label, words, console.width, ""):
                say(piece, style)


def heading(report: Report) -> str:
    """What was stepped through, and how far."""
    of = f" of {text.count(report.length)}" if report.length is not None else ""
    return f"stetho data · {report.name} · {report.title} · {text.count(report.samples)}{of} samples"


def _further(failures: Sequence[Failure]) -> Iterator[str]:
    for failure in failures[FAILURES_EXPLAINED:FAILURES_SHOWN]:
        place = f" · {short_place(failure.error.where)}" if failure.error.where else ""
        yield f"  {failed(failure)}{place}"
    if len(failures) > FAILURES_SHOWN:
        yield f"  … {text.plural(len(failures), 'failure')} in all"


def _tables(report: Report) -> Iterator[tuple[str, Sequence[Column], list[list[str]]]]:
    yield "samples, one by one", *field_table(report.fields)
    if report.batches is not None:
        sizes = keys_text(report.batches.sizes, 3)
        title = f"batches, as the model gets them · {text.count(report.batches.count)} of {sizes} samples"
        yield title, *field_table(report.batches.fields)
    yield f"transforms · means of {text.plural(report.traced, 'sample')}", *stage_table(report.stages)
    for split in report.splits:
        yield f"{split.name} · {text.count(split.samples)} samples", *field_table(split.fields)


def field_table(fields: Sequence[Field]) -> tuple[Sequence[Column], list[list[str]]]:
    """A row for each field."""
    is_padded = any(field.padding for field in fields)
    columns = [
        Column("field", is_text=True),
        Column("type", is_text=True),
        Column("shape", is_text=True),
        Column("min"),
        Column("max"),
        Column("mean"),
        Column("std"),
        Column("zeros", is_optional=True),
        Column("unique", is_optional=True),
        *([Column("padding")] if is_padded else []),
    ]
    rows = [
        [
            field.name,
            field.make,
            field.shape,
            *map(text.number, (field.low, field.high, field.mean, field.std)),
            text.share(field.zeros),
            text.count(field.unique),
            *([_padding(field)] if is_padded else []),
        ]
        for field in fields[:FIELDS_SHOWN]
    ]
    return columns, rows


def _padding(field: Field) -> str:
    if field.padding is None:
        return ""
    return f"{text.share(field.padding)} of {field.filler:g}" if field.filler is not None else text.share(field.padding)


def stage_table(stages: Sequence[Stage]) -> tuple[Sequence[Column], list[list[str]]]:
    """A row for each transform and each function that takes time."""
    columns = [
        Column("function", is_text=True),
        Column("time"),
        Column("share"),
        Column("calls"),
        Column("output", is_text=True),
        Column("line", is_text=True, is_optional=True),
    ]
    whole = sum(stage.seconds for stage in stages if stage.depth == 0)
    rows = [
        [
            "  " * stage.depth + stage.name,
            duration(stage.seconds),
            text.share(stage.seconds / whole if whole else None),
            f"{stage.calls:.3g}",
            ("NaN! " if stage.has_nan else "") + text.clipped(stage.output, LONGEST_OUTPUT),
            short_place(stage.line) if stage.line else "",
        ]
        for stage in listed(stages)
    ]
    return columns, rows


def listed(stages: Sequence[Stage]) -> list[Stage]:
    """The stages worth a line: transforms, what takes time, what makes NaN, and whatever calls these."""
    whole = sum(stage.seconds for stage in stages if stage.depth == 0)
    chosen: list[Stage] = []
    deepest = -1
    # From the end, so that a caller comes after what it calls, and is kept with it.
    for stage in reversed(stages):
        is_wanted = stage.is_chained or stage.has_nan or stage.seconds >= LEAST_SHARE * whole
        if is_wanted or stage.depth == deepest - 1:
            chosen.append(stage)
            deepest = stage.depth
    return chosen[::-1][:STAGES_SHOWN]


def _closing(report: Report) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    classes = [(field.name, class_counts(field)) for field in report.fields if field.is_label]
    whole = [*classes, *_doubles(report)]
    if whole:
        yield "the set", whole
    if report.remarks:
        yield "worth a look", [("!", remark) for remark in report.remarks]
    if report.notes:
        yield "notes", [("·", note) for note in report.notes]


def class_counts(field: Field) -> str:
    """How often each class occurs, the most frequent first."""
    shown = SEPARATOR.join(f"{value}: {text.count(n)}" for value, n in field.counts[:CLASSES_SHOWN])
    rest = len(field.counts) - CLASSES_SHOWN
    return f"{text.plural(len(field.counts), 'value')} · {shown}" + (f" · … {rest:,} more" if rest > 0 else "")


def _doubles(report: Report) -> Iterator[tuple[str, str]]:
    if report.duplicates is not None:
        yield (
            "duplicates",
            f"{text.count(report.duplicates.extra)} of {text.count(report.duplicates.looked_at)} samples",
        )
    for split in report.splits:
        yield "in both", _shared(split)


def _shared(split: Split) -> str:
    return f"{text.count(split.shared)} of the {text.count(split.duplicates.looked_at)} samples of {split.name}"
