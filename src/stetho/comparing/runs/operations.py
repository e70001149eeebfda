"""The traces of one step of two programs, operation by operation: the first whose result differs."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from stetho.comparing.tensor_error import Array, TensorError, error_between
from stetho.errors import RunDamaged
from stetho.store.documents import read_object
from stetho.store.format import TRACE_FILE, TRACE_VALUES_FILE
from stetho.store.reader import Run

MOST_FOUND = 5
UNFILLED = ("empty", "new_empty", "empty_like", "empty_strided", "new_empty_strided")
"""What these give holds whatever was in memory before."""
DRAWING = ("rand", "randn", "randint", "randperm", "normal", "bernoulli", "native_dropout", "uniform", "multinomial",
           "exponential", "rand_like", "randn_like", "random")  # fmt: skip
Row = Mapping[str, Any]


class Traced:
    """The trace of a step with the results of its operations."""

    def __init__(self, run: Run) -> None:
        self.path: Path = run.path
        document = read_object(run.path / TRACE_FILE)
        self.rows: list[Row] = [
            row for row in document.get("rows", []) if row.get("results") and not row["operation"].startswith(UNFILLED)
        ]
        file = run.path / TRACE_VALUES_FILE
        self._bytes = np.memmap(file, mode="r") if file.exists() and file.stat().st_size else np.empty(0, np.uint8)

    def results(self, row: Row) -> list[Array]:
        """The results of an operation; those that were too many to be written are left out."""
        return [self._array(*place) for place in row["results"] if place is not None]

    def _array(self, begins: int, dtype: str, shape: list[int]) -> Array:
        kind = np.dtype(dtype)
        size = kind.itemsize * int(np.prod(shape, dtype=np.int64))
        if begins < 0 or begins + size > len(self._bytes):
            raise RunDamaged(f"{self.path / TRACE_VALUES_FILE}: shorter than its trace says; record it again")
        return np.asarray(self._bytes[begins : begins + size].view(kind).reshape(shape))


def differing_operations(one: Traced, other: Traced, *, at_least: float = 0.0) -> list[dict[str, Any]]:
    """The first operations whose results differ by more than `at_least`, in the order in which they ran."""
    found: list[dict[str, Any]] = []
    lonely: list[dict[str, Any]] = []
    for mine, theirs in aligned(one.rows, other.rows):
        if len(found) >= MOST_FOUND:
            break
        if mine is None or theirs is None:
            lonely.append(_lonely(mine, theirs))
            continue
        worst = _worst(one.results(mine), other.results(theirs))
        if worst is None or worst.relative > at_least:
            # What one side alone computed last before the results differ is what may have made them differ.
            found += [*(lonely if at_least == 0 else lonely[-1:]), _difference(mine, theirs, worst, bool(lonely))]
            lonely = []
    return found[:MOST_FOUND]


def aligned(one: Sequence[Row], other: Sequence[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """The operations of two traces in pairs; None where one side has no such operation."""
    keys = [[(row["operation"], row["phase"], len(row["results"])) for row in rows] for rows in (one, other)]
    if keys[0] == keys[1]:
        yield from zip(one, other, strict=True)
        return
    for tag, first, last, begin, end in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(one[first:last], other[begin:end], strict=True)
            continue
        # An operation that was exchanged for another one stands beside it.
        yield from zip_longest(one[first:last], other[begin:end])


def _worst(one: Sequence[Array], other: Sequence[Array]) -> TensorError | None:
    """The largest error of any result; None where their shapes differ."""
    errors = [error_between(a, b) for a, b in zip(one, other, strict=False)]
    if not errors or any(error is None for error in errors):
        return None
    return max((error for error in errors if error is not None), key=lambda error: error.relative)


def _difference(mine: Row, theirs: Row, worst: TensorError | None, is_after_lonely: bool = False) -> dict[str, Any]:
    details = []
    if worst is not None:
        details.append(
            f"max abs {worst.max_abs:.4g}, max rel {worst.max_rel:.4g}"
            + (f", cosine {worst.cosine:.8g}" if worst.cosine == worst.cosine else "")
            + (f", {worst.ulps:,} ulps" if worst.ulps is not None else "")
        )
        details.append(f"worst {worst.worst}")
    else:
        details.append(f"its results have other shapes: {_shapes(mine)} and {_shapes(theirs)}")
    if mine["operation"] != theirs["operation"]:
        details.append("one operation stands where the other program has another one")
        return _row(mine, theirs, worst, details, is_shape=worst is None)
    same_given, same_constants = mine["given"] == theirs["given"], mine["constants"] == theirs["constants"]
    if not same_constants:
        details.append(f"its arguments: {', '.join(mine['constants'])} and {', '.join(theirs['constants'])}")
    elif mine["operation"] in DRAWING:
        details.append("it draws random numbers: its generator is in another state, or seeded otherwise")
    elif same_given:
        details.append("its inputs are equal, bit by bit: the operation itself gives another result")
    elif is_after_lonely:
        details.append("an input of it differs: see what one program alone computes before it")
    else:
        details.append("an input of it differs that no operation of this step made")
    return _row(mine, theirs, worst, details, is_shape=worst is None)


def _lonely(mine: Row | None, theirs: Row | None) -> dict[str, Any]:
    which = "the second" if mine is None else "the first"
    return _row(mine, theirs, None, [f"{which} program alone computes this"], is_shape=False)


def _row(
    mine: Row | None, theirs: Row | None, worst: TensorError | None, details: list[str], *, is_shape: bool
) -> dict[str, Any]:
    known = mine or theirs or {}
    lines = [row.get("line") if row else None for row in (mine, theirs)]
    names = dict.fromkeys(row["operation"] for row in (mine, theirs) if row)
    where = f" of `{known['layer']}`" if known.get("layer") else ""
    return {
        "operation": known.get("operation"),
        "layer": known.get("layer"),
        "phase": known.get("phase"),
        "lines": lines,
        "sentence": f"{' and '.join(names)}, {known.get('phase')}{where}",
        "details": details,
        "error": None if worst is None else worst.relative,
        "is_shape": is_shape,
    }


def _shapes(row: Row) -> str:
    return ", ".join(str(place[2]) for place in row["results"] if place is not None)
