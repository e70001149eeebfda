"""The summary of a model as a table: a tree of layers with shapes and costs, then the totals in words."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from textwrap import fill
from typing import Any, TextIO

from stetho.config import unknown_name
from stetho.errors import UsageError
from stetho.inspect.folding import folded
from stetho.inspect.operations import TensorFacts
from stetho.inspect.summarizing import Row, Summary
from stetho.views import text
from stetho.views.console import console_for, is_unbounded
from stetho.views.summary_lines import short_place
from stetho.views.table import Column, no_room_for, print_table

MOST_TENSORS = 3
Cell = Callable[[Row], str]

CELLS: dict[str, tuple[Column, Cell]] = {
    "class": (Column("class", is_text=True, is_class=True), lambda row: row.kind),
    "settings": (Column("settings", is_text=True), lambda row: row.settings),
    "input": (Column("input", is_text=True, is_optional=True), lambda row: shapes(row.inputs)),
    "output": (Column("output", is_text=True), lambda row: _output(row)),
    "dtype": (Column("dtype", is_text=True, is_optional=True), lambda row: _distinct(row, "dtype")),
    "device": (Column("device", is_text=True, is_optional=True), lambda row: _distinct(row, "device")),
    "parameters": (Column("parameters"), lambda row: _parameters(row, row.parameters)),
    "trainable": (Column("trainable", is_optional=True), lambda row: _parameters(row, row.trainable)),
    "flops": (Column("FLOPs"), lambda row: _amount(row.flops)),
    "backward": (Column("backward", is_optional=True), lambda row: _amount(row.backward_flops)),
    "memory": (Column("kept", is_optional=True), lambda row: text.size(row.saved) if row.saved else text.MISSING),
    "time": (Column("time", is_optional=True), lambda row: text.seconds(row.seconds or None)),
    "line": (Column("line", is_text=True, is_optional=True), lambda row: short_place(row.line or "")),
}
"""Every column but the first, which names the layer."""
USUAL = ("class", "output", "parameters", "flops", "backward", "memory")


def print_model_summary(
    summary: Summary, file: TextIO, *, depth: int | None = None, columns: Sequence[str] = (), whole: bool = False
) -> None:
    """Draw the table, and the totals below it."""
    missing = print_table(*summary_table(summary, depth=depth, columns=columns, whole=whole), file)
    print(file=file)
    if missing:
        print(f"{no_room_for(missing)}\n", file=file)
    width = None if is_unbounded(file) else console_for(file).width
    for line in total_lines(summary):
        print(line if width is None else fill(line, width, subsequent_indent="  "), file=file)


def summary_table(
    summary: Summary, *, depth: int | None = None, columns: Sequence[str] = (), whole: bool = False
) -> tuple[list[Column], list[list[str]]]:
    """Columns and rows; layers below `depth` are left out, and equal neighbours folded unless the `whole` is wanted."""
    for name in columns:
        if name not in CELLS:
            raise UsageError(unknown_name("column", name, CELLS))
    wanted = columns or (USUAL if summary.is_called else ("class", "settings", "parameters", "trainable"))
    chosen = [CELLS[name] for name in wanted]
    rows = [row for row in (summary.rows if whole else folded(summary.rows)) if depth is None or row.depth <= depth]
    names = labels(rows)
    table = [[name, *(cell(row) for _, cell in chosen)] for name, row in zip(names, rows, strict=True)]
    return [Column("layer", is_text=True, is_dotted=True), *(column for column, _ in chosen)], table


def labels(rows: Sequence[Row]) -> list[str]:
    """The names of layers, indented, and without the part that the row above them tells."""
    found = []
    above: list[str] = []
    """For each depth, how the names of layers below the last row there begin."""
    for row in rows:
        name, depth = row.name, row.depth
        del above[depth:]
        short = name
        for before in reversed(above):
            if name.startswith(before) and before != ".":
                short = name[len(before) :]
                break
        times = f" ×{row.repeats}" if row.repeats > 1 else ""
        found.append("  " * depth + (short or "(model)") + times)
        above += ["."] * (depth - len(above)) + [name.partition(" … ")[0] + "."]
    return found


def total_lines(summary: Summary) -> Iterator[str]:
    """The totals in words, and what is wrong."""
    totals = summary.totals
    frozen = totals.parameters - totals.trainable
    words = [text.plural(totals.parameters, "parameter"), text.size(totals.parameter_bytes)]
    words += [f"{text.count(frozen)} of them frozen"] if frozen else []
    shared = (
        f"; {text.plural(totals.repeated_names, 'name')} of shared ones counted once" if totals.repeated_names else ""
    )
    yield ", ".join(words) + shared
    if not summary.is_called:
        yield "no inputs: shapes and costs are not known; add --input 1,3,32,32 or --loader file.py:loader"
        return
    unseen = [row.name for row in summary.rows if row.status == "not seen"]
    costs = [f"{_flop(totals.flops)} forward", *([] if unseen else [f"{_flop(totals.backward_flops)} backward"])]
    yield (
        f"one call on {text.size(totals.input_bytes)} of input: {', '.join(costs)}, "
        f"{text.size(totals.saved)} kept for the backward pass, {text.plural(totals.operations, 'operation')}"
    )
    missing = [row.name for row in summary.rows if row.status == "not called"]
    if missing:
        yield f"not called: {', '.join(missing[:8])}{' …' if len(missing) > 8 else ''}"
    if unseen:
        names = f"{', '.join(unseen[:8])}{' …' if len(unseen) > 8 else ''}"
        yield f"not seen: {names}; TorchScript calls its layers without Python, and backward FLOPs are not known"
    if summary.failure is not None:
        yield f"failed: {summary.failure}"


def summary_document(summary: Summary) -> dict[str, Any]:
    """The summary as JSON has it."""
    rows = [
        row._asdict()
        | {"inputs": [_tensor(each) for each in row.inputs], "outputs": [_tensor(each) for each in row.outputs]}
        for row in summary.rows
    ]
    failure = None
    if summary.failure is not None:
        failure = summary.failure._asdict() | {"inputs": [str(each.tensor) for each in summary.failure.inputs]}
    return {"model": summary.name, "rows": rows, "totals": asdict(summary.totals), "failure": failure}


def shapes(tensors: Sequence[TensorFacts]) -> str:
    """The shapes of tensors.

    >>> shapes([TensorFacts((2, 3), "float32", "cpu"), TensorFacts((), "int64", "cpu")])
    '2×3, scalar'
    """
    more = f" +{len(tensors) - MOST_TENSORS}" if len(tensors) > MOST_TENSORS else ""
    return ", ".join([_shape(each.shape) for each in tensors[:MOST_TENSORS]]) + more


@functools.lru_cache(maxsize=1024)
def _shape(sizes: tuple[int, ...]) -> str:
    return "×".join(map(str, sizes)) or "scalar"


def _tensor(tensor: TensorFacts) -> dict[str, Any]:
    return {"shape": list(tensor.shape), "dtype": tensor.dtype, "device": tensor.device}


def _output(row: Row) -> str:
    return (
        row.status
        if row.status in ("failed", "not called", "not reached", "not seen")
        else shapes(row.outputs) or text.MISSING
    )


def _distinct(row: Row, name: str) -> str:
    return ", ".join(dict.fromkeys(getattr(each, name) for each in row.outputs))


def _parameters(row: Row, count: int) -> str:
    if not count:
        return text.MISSING
    if row.status == "again":
        return "above"
    times = f"{row.repeats} × " if row.repeats > 1 else ""
    return f"{'shared ' if row.shared else ''}{times}{text.count(count)}"


def _amount(value: int) -> str:
    return text.amount(value) if value else text.MISSING


def _flop(value: int) -> str:
    """
    >>> _flop(1_500_000)
    '1.50 MFLOP'
    """
    number, _, unit = text.amount(value).partition(" ")
    return f"{number} {unit}FLOP"
