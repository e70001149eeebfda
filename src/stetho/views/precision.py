"""The precision report: what each layer's values would lose in smaller number formats, from the recorded histograms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from stetho.stats.precision import FORMATS, Loss, best_shift, loss_in
from stetho.views import text
from stetho.views.console import console_for
from stetho.views.folding import folded
from stetho.views.table import Column, print_table

if TYPE_CHECKING:
    from stetho.store.reader import Run

ROLES = {"act": "activation", "act_grad": "its gradient", "grad": "gradient", "param": "parameter"}
GRADIENTS = ("act_grad", "grad")
NOTHING = "·"


@dataclass(frozen=True, slots=True)
class PrecisionRow:
    """One tensor of the network over all steps whose histogram was taken."""

    model: int
    name: str
    role: str
    phase: str
    histograms: int
    zeros: float
    losses: dict[str, Loss]
    scale: int | None
    """For gradients: the power of two by which the loss may be multiplied so that fp16 holds them."""


def precision_rows(run: "Run") -> list[PrecisionRow]:
    """A row for each tensor with histograms, activations of training and gradients before parameters."""
    import numpy as np

    rows = []
    table = run.table("histograms")
    series = np.asarray(table["series"].to_numpy())
    counts = np.asarray(table["counts"].combine_chunks().flatten()).reshape(len(series), -1) if len(series) else None
    for one in run.series:
        if counts is None or one.role not in ROLES or one.phase != "train":
            continue
        own = counts[series == one.id]
        if not len(own):
            continue
        total = own.sum(axis=0, dtype=np.int64).tolist()
        losses = {kind.name: loss_in(kind, total) for kind in FORMATS}
        scale = best_shift(FORMATS[0], total) if one.role in GRADIENTS else None
        zeros = total[len(total) // 2] / max(sum(total), 1)
        rows.append(PrecisionRow(one.model, one.name, one.role, one.phase, len(own), zeros, losses, scale))
    order = list(ROLES)
    return sorted(rows, key=lambda row: (row.model, order.index(row.role)))


def precision_table(rows: Sequence[PrecisionRow]) -> tuple[list[Column], list[list[str]]]:
    """Columns and cells: for each format what becomes zero (↓) and what overflows (↑)."""
    formats = [Column(kind.name) for kind in FORMATS]
    columns = [Column("layer", is_text=True), Column("of", is_text=True), Column("zeros", is_optional=True), *formats]
    cells = [
        [row.name or "(root)", ROLES[row.role], text.share(row.zeros), *map(_cell, row.losses.values())] for row in rows
    ]
    return columns, cells


def _cell(loss: Loss) -> str:
    parts = [f"{text.share(loss.zero)} ↓"] if loss.zero else []
    parts += [f"{text.share(loss.overflow)} ↑"] if loss.overflow else []
    return " ".join(parts) or NOTHING


def precision_notes(rows: Sequence[PrecisionRow]) -> list[str]:
    """What the table means, and a scale of the loss that fits all gradients in fp16."""
    notes = [
        "↓ would become zero, ↑ would overflow, · neither. Values that keep fewer digits are in --json.",
        "bf16 has the range of float32, and 8 bits of digits: what it loses is precision, not range.",
    ]
    scales = [row.scale for row in rows if row.scale is not None]
    if scales:
        power = min(scales)
        notes.append(
            f"a loss scale of 2^{power} ({2.0**power:g}) keeps every recorded gradient below the limit of fp16."
        )
    return notes


def print_precision(rows: Sequence[PrecisionRow], file: TextIO) -> None:
    """Draw the report on a stream."""
    print_table(*precision_table(rows), file)
    width = console_for(file).width
    notes = [part for note in precision_notes(rows) for line in folded(note, 2, width, "") for part, _ in line]
    file.write("\n" + "\n".join(notes) + "\n")
