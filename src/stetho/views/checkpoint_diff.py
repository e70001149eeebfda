"""The difference of two checkpoints on the terminal: counts, then layers or tensors, then settings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from stetho.checkpoints.refusing import shown
from stetho.views import text
from stetho.views.checkpoint import print_notes, setting_text, shape_text
from stetho.views.table import Column, print_table

if TYPE_CHECKING:
    from stetho.checkpoints.diffing import CheckpointDiff, LayerDifference, TensorDifference

SETTINGS_SHOWN = 20
SAME_SHOWN = 6

LAYERS = (
    Column("layer", is_text=True),
    Column("same/all"),
    Column("Δ rel"),
    Column("max |Δ|"),
    Column("most changed", is_text=True, is_optional=True),
    Column("", is_text=True),
)
TENSORS = (
    Column("tensor", is_text=True),
    Column("state", is_text=True),
    Column("shape", is_text=True),
    Column("type", is_text=True, is_optional=True),
    Column("changed"),
    Column("Δ rel"),
    Column("max |Δ|"),
    Column("at", is_optional=True),
    Column("first", is_optional=True),
    Column("second", is_optional=True),
)


def print_diff(found: "CheckpointDiff", file: TextIO, *, whole: bool = False, all_too: bool = False) -> None:
    """Draw a comparison; `whole` lists tensors and not layers, `all_too` also those that are the same."""
    first, second = map(shown, found.paths)
    file.write(f"first:  {first} · {found.formats[0]}\nsecond: {second} · {found.formats[1]}\n\n")
    file.write(verdict(found) + "\n")
    tensors = [one for one in found.tensors if all_too or one.state != "same"]
    layers = [one for one in found.layers() if all_too or not one.is_same]
    if whole and tensors:
        file.write("\n")
        print_table(TENSORS, [_tensor_row(one) for one in tensors], file)
    elif not whole and layers:
        file.write("\n")
        print_table(LAYERS, [_layer_row(one) for one in layers], file)
    if not all_too and found.first_difference is not None:
        file.write(same_line([one.name or "(root)" for one in found.layers() if one.is_same]))
    _print_settings(found, file)
    print_notes(found.notes, file)


def same_line(layers: Sequence[str]) -> str:
    """Which layers did not change at all.

    >>> same_line(["embedding", "head"])
    '2 layers wholly the same: embedding, head\\n'
    """
    if not layers:
        return ""
    more = f" and {len(layers) - SAME_SHOWN:,} more; --all lists them" if len(layers) > SAME_SHOWN else ""
    return f"{text.plural(len(layers), 'layer')} wholly the same: {', '.join(layers[:SAME_SHOWN])}{more}\n"


def verdict(found: "CheckpointDiff") -> str:
    """The counts in one line, and where the first difference is."""
    total = len(found.tensors)
    states = ("changed", "reshaped", "retyped", "missing", "extra")
    counts = [f"{text.count(found.count(state))} {state}" for state in states if found.count(state)]
    line = f"{text.count(found.count('same'))} of {text.plural(total, 'tensor')} the same"
    first = found.first_difference
    if first is None:
        return line + (", all settings too" if not found.settings else "")
    return f"{', '.join([line, *counts])}\nfirst difference: {first.name}, {_told(first)}"


def _told(one: "TensorDifference") -> str:
    if one.state == "retyped":
        return f"retyped ({one.dtypes[0]} → {one.dtypes[1]}), with the same numbers"
    if one.change is None or one.state != "changed":
        shapes = f" ({shape_text(one.shapes[0])} → {shape_text(one.shapes[1])})" if one.state == "reshaped" else ""
        return one.state + shapes
    change = one.change
    place = f" at {index_text(change.worst, one.shapes[0] or ())}" if change.worst is not None else ""
    values = f": {text.number(change.before)} → {text.number(change.after)}" if change.worst is not None else ""
    share = text.share(change.changed / change.elements)
    return f"{share} of its elements changed, by {text.number(change.largest)} at most{place}{values}"


def index_text(place: int | None, shape: Sequence[int]) -> str:
    """A place in a tensor by its indices.

    >>> index_text(7, (2, 5))
    '[1, 2]'
    """
    if place is None:
        return text.MISSING
    indices = []
    for size in reversed(shape):
        place, index = divmod(place, size)
        indices.append(index)
    return str(indices[::-1])


def _layer_row(layer: "LayerDifference") -> list[str]:
    largest = layer.largest
    change = largest.change if largest else None
    other = ("reshaped", "retyped", "missing", "extra")
    return [
        layer.name or "(root)",
        f"{layer.count('same')}/{len(layer.tensors)}",
        text.number(change.relative) if change else "",
        text.number(max(one.change.largest for one in layer.tensors if one.change)) if change else "",
        largest.name.removeprefix(layer.name).strip("./") if largest else "",
        " ".join(f"{layer.count(state)} {state}" for state in other if layer.count(state)),
    ]


def _tensor_row(one: "TensorDifference") -> list[str]:
    shapes = [shape_text(shape) for shape in one.shapes if shape is not None]
    dtypes = [dtype for dtype in one.dtypes if dtype is not None]
    row = [one.name, one.state, " → ".join(dict.fromkeys(shapes)), " → ".join(dict.fromkeys(dtypes))]
    change = one.change
    if change is None or one.state != "changed":
        return [*row, *[""] * (len(TENSORS) - len(row))]
    return [
        *row,
        text.share(change.changed / change.elements),
        text.number(change.relative),
        text.number(change.largest),
        index_text(change.worst, one.shapes[0] or ()),
        text.number(change.before),
        text.number(change.after),
    ]


def _print_settings(found: "CheckpointDiff", file: TextIO) -> None:
    if not found.settings:
        return
    shown = found.settings[:SETTINGS_SHOWN]
    absent = {"missing": (None, text.MISSING), "extra": (text.MISSING, None)}
    rows = []
    for one in shown:
        before, after = absent.get(one.state, (None, None))
        rows.append([one.name, before or setting_text(one.before), after or setting_text(one.after)])
    file.write("\n")
    print_table([Column("setting", is_text=True), Column("first"), Column("second")], rows, file)
    if len(found.settings) > len(shown):
        file.write(f"and {len(found.settings) - len(shown):,} more; --json has all\n")
