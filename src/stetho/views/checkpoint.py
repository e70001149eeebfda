"""Checkpoints on the terminal: the tree of tensors with their numbers, problems, and differences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from stetho.checkpoints.refusing import shown
from stetho.views import text
from stetho.views.checkpoint_tree import tree_lines
from stetho.views.table import Column, print_table

if TYPE_CHECKING:
    from stetho.checkpoints.checking import CheckpointCheck
    from stetho.checkpoints.contents import Checkpoint
    from stetho.checkpoints.measuring import Measured, TensorStats

BARS = text.BARS
NEW_LINE = "\n"
SETTINGS_SHOWN = 12
LONGEST_SETTING = 40

COLUMNS = (
    Column("name", is_text=True),
    Column("shape", is_text=True),
    Column("type", is_text=True),
    Column("mean"),
    Column("std"),
    Column("histogram", is_text=True, is_optional=True),
    Column("range", is_optional=True),
    Column("zeros", is_optional=True),
    Column("", is_text=True),
)


def print_measured(measured: "Measured", file: TextIO) -> None:
    """Draw what a checkpoint holds."""
    checkpoint = measured.checkpoint
    file.write(headline(checkpoint) + "\n")
    if measured.stats:
        file.write("\n")
        print_table(COLUMNS, [_tensor_row(label, name, measured) for label, name in tree_lines(measured.stats)], file)
    print_settings(checkpoint, file)
    print_notes(checkpoint.notes, file)


def headline(checkpoint: "Checkpoint") -> str:
    """Path, format and size in one line."""
    tensors = text.plural(len(checkpoint), "tensor")
    elements = f"{text.amount(checkpoint.elements)} elements"
    return " · ".join((shown(str(checkpoint.path)), checkpoint.format, tensors, elements, text.size(checkpoint.nbytes)))


def print_settings(checkpoint: "Checkpoint", file: TextIO) -> None:
    """Draw the first of the values beside the tensors."""
    shown = list(checkpoint.settings.items())[:SETTINGS_SHOWN]
    if shown:
        file.write("\n")
        rows = [[name, setting_text(value)] for name, value in shown]
        print_table([Column("setting", is_text=True), Column("value", is_text=True)], rows, file)
    left = len(checkpoint.settings) - len(shown)
    if left > 0:
        file.write(f"and {left:,} more; --json has all\n")


def print_notes(notes: Sequence[str], file: TextIO) -> None:
    """Draw what was not read, folded at words."""
    from rich.text import Text

    from stetho.views.console import console_for

    for number, note in enumerate(notes):
        console_for(file).print(Text(f"{'' if number else NEW_LINE}note: {note}"), soft_wrap=False)


def setting_text(value: object) -> str:
    """A value as one short line.

    >>> setting_text("two\\nlines"), setting_text(0.001)
    ("'two\\\\nlines'", '0.001')
    """
    return text.clipped(repr(value) if isinstance(value, str) else str(value), LONGEST_SETTING)


def shape_text(shape: Sequence[int] | None) -> str:
    """A shape as a person writes it.

    >>> shape_text((4, 3)), shape_text(()), shape_text(None)
    ('4×3', 'scalar', '–')
    """
    return text.MISSING if shape is None else "×".join(map(str, shape)) or "scalar"


def bars(histogram: Sequence[int]) -> str:
    """A histogram as a row of bars; what holds anything shows at least the lowest one.

    >>> bars([0, 1, 8, 2])
    ' ▂█▃'
    """
    top = max(histogram, default=0)
    steps = len(BARS) - 1
    return "".join(BARS[round(count / top * steps)] if count else " " for count in histogram) if top else ""


def _tensor_row(label: str, name: str | None, measured: "Measured") -> list[str]:
    if name is None:
        return [label, *[""] * (len(COLUMNS) - 1)]
    stats = measured.stats[name]
    zeros = text.share(stats.zeros / stats.elements) if stats.elements else text.MISSING
    mean, std, low, high = (text.number(value) for value in (stats.mean, stats.std, stats.low, stats.high))
    shape, histogram = shape_text(stats.shape), bars(stats.histogram)
    return [label, shape, stats.dtype, mean, std, histogram, f"{low} … {high}", zeros, _flags(stats)]


def _flags(stats: "TensorStats") -> str:
    counts = (("NaN", stats.nans), ("inf", stats.infs))
    return " ".join(f"{text.count(count)} {word}" for word, count in counts if count)


def print_check(found: "CheckpointCheck", file: TextIO) -> None:
    """Draw what looks wrong, the worst first; notes of one kind are put together."""
    file.write(headline(found.measured.checkpoint) + "\n")
    told = [problem for problem in found.problems if problem.severity != "note"]
    if told:
        file.write("\n")
        rows = [[one.severity, one.kind, one.name, one.text] for one in told]
        print_table([Column(title, is_text=True) for title in ("", "kind", "tensor", "what")], rows, file)
    kinds: dict[str, list[str]] = {}
    for problem in found.problems:
        if problem.severity == "note":
            kinds.setdefault(problem.kind, []).append(problem.name)
    notes = [
        f"{text.plural(len(names), 'tensor')} {KINDS.get(kind, kind)}: {_some(names)}" for kind, names in kinds.items()
    ]
    print_notes([*notes, *found.measured.checkpoint.notes], file)
    if found.is_clear:
        file.write("\nclear: no NaN, no infinity, nothing dead, doubled or of an odd scale\n")


KINDS = {
    "zeros": "of one axis all zero",
    "constant": "of one axis all the same number",
    "shared": "tied to another",
}


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4:,} more" if len(names) > 4 else "")


def print_values(checkpoint: "Checkpoint", file: TextIO) -> None:
    """Draw the elements of each tensor; of large ones those at the corners."""
    import numpy as np

    for name, tensor in checkpoint.items():
        file.write(f"{name} · {shape_text(tensor.shape)} · {tensor.dtype}\n")
        with np.printoptions(threshold=200, edgeitems=3, linewidth=100, precision=6):
            file.write(f"{tensor.read()}\n\n")
