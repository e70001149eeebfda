"""Two checkpoints side by side: what is missing, extra, reshaped, the same, and changed by how much."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from stetho.checkpoints.contents import Checkpoint, LazyTensor, Value
from stetho.checkpoints.difference import Change, difference
from stetho.checkpoints.measuring import Progress
from stetho.checkpoints.naming import layer_of, meeting_of
from stetho.checkpoints.opening import Source, opened
from stetho.store.documents import plain

FORMAT = 1
STATES = ("missing", "extra", "reshaped", "changed", "retyped", "same")


@dataclass(frozen=True, slots=True)
class TensorDifference:
    """One tensor in both checkpoints: `missing` is only in the first, `extra` only in the second.

    `retyped` holds the same numbers in another type.
    """

    name: str
    state: str
    shapes: tuple[tuple[int, ...] | None, tuple[int, ...] | None]
    dtypes: tuple[str | None, str | None]
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A number or text beside the tensors that is not the same."""

    name: str
    state: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class LayerDifference:
    """The tensors of one layer together."""

    name: str
    tensors: tuple[TensorDifference, ...]

    def count(self, state: str) -> int:
        """How many of them are in a state."""
        return sum(one.state == state for one in self.tensors)

    @property
    def is_same(self) -> bool:
        """Whether none of them differs."""
        return all(one.state == "same" for one in self.tensors)

    @property
    def largest(self) -> TensorDifference | None:
        """The tensor that changed most for its size."""
        changed = [one for one in self.tensors if one.change is not None and one.state == "changed"]
        return max(changed, key=lambda one: one.change.relative if one.change else 0.0, default=None)


@dataclass(frozen=True, slots=True)
class CheckpointDiff:
    """What comparing two checkpoints gave; `stetho.diff_checkpoints` gives it."""

    paths: tuple[str, str]
    formats: tuple[str, str]
    tensors: Sequence[TensorDifference]
    settings: Sequence[SettingDifference]
    notes: Sequence[str] = ()

    def count(self, state: str) -> int:
        """How many tensors are `same`, `changed`, `reshaped`, `retyped`, `missing` or `extra`."""
        return sum(one.state == state for one in self.tensors)

    @property
    def first_difference(self) -> TensorDifference | None:
        """The first tensor that is not the same, in the order of the first checkpoint; None if all are."""
        return next((one for one in self.tensors if one.state != "same"), None)

    @property
    def is_equal(self) -> bool:
        """Whether all tensors and all settings are the same."""
        return self.first_difference is None and not self.settings

    def layers(self) -> list[LayerDifference]:
        """The tensors by layer, in the order of the first checkpoint."""
        groups: dict[str, list[TensorDifference]] = {}
        for one in self.tensors:
            groups.setdefault(layer_of(one.name), []).append(one)
        return [LayerDifference(name, tuple(tensors)) for name, tensors in groups.items()]

    def table(self) -> list[dict[str, Any]]:
        """A row for each tensor, ready for `pandas.DataFrame`."""
        return [_row(one) for one in self.tensors]

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; numbers that JSON has no word for become text."""
        first = self.first_difference
        document = {
            "format": FORMAT,
            "kind": "checkpoints",
            "paths": list(self.paths),
            "formats": list(self.formats),
            "equal": self.is_equal,
            "counts": {state: self.count(state) for state in STATES} | {"all": len(self.tensors)},
            "first_difference": None if first is None else _row(first),
            "tensors": self.table(),
            "settings": [asdict(one) for one in self.settings],
            "notes": list(self.notes),
        }
        return cast(dict[str, Any], plain(document))


def diff_checkpoints(first: Source, second: Source, progress: Progress | None = None) -> CheckpointDiff:
    """What differs between two checkpoints, of whatever formats, tensor by tensor and by how much.

    >>> import numpy as np
    >>> np.savez("a.npz", w=np.ones(3, np.float32), b=np.zeros(2, np.float32))
    >>> np.savez("b.npz", w=np.ones(3, np.float32), b=np.full(2, 0.5, np.float32))
    >>> found = diff_checkpoints("a.npz", "b.npz")
    >>> found.first_difference.name, found.first_difference.change.largest, found.count("same")
    ('b', 0.5, 1)
    """
    first, second = opened(first), opened(second)
    meeting = meeting_of(list(first), list(second))
    notes = [*meeting.notes, *(f"{one.path.name}: {note}" for one in (first, second) for note in one.notes)]
    before = dict(zip(meeting.first, first.values(), strict=True))
    after = dict(zip(meeting.second, second.values(), strict=True))
    tensors = [_compared(name, before.get(name), after.get(name), progress) for name in {**before, **after}]
    return CheckpointDiff(
        (str(first.path), str(second.path)),
        (first.format, second.format),
        tuple(tensors),
        tuple(_settings(first, second)),
        tuple(notes),
    )


def _compared(
    name: str, before: LazyTensor | None, after: LazyTensor | None, progress: Progress | None
) -> TensorDifference:
    shapes = before.shape if before else None, after.shape if after else None
    dtypes = before.dtype if before else None, after.dtype if after else None
    if before is None or after is None:
        return TensorDifference(name, "extra" if before is None else "missing", shapes, dtypes)
    if before.shape != after.shape:
        return TensorDifference(name, "reshaped", shapes, dtypes)
    if before == after:  # the same bytes of the same file
        return TensorDifference(name, "same", shapes, dtypes)
    change = difference(before, after, progress)
    state = "changed" if change.changed else "same" if before.dtype == after.dtype else "retyped"
    return TensorDifference(name, state, shapes, dtypes, change)


def _settings(first: Checkpoint, second: Checkpoint) -> Iterator[SettingDifference]:
    before, after = first.settings, second.settings
    for name in {**before, **after}:
        if name not in after:
            yield SettingDifference(name, "missing", before[name], None)
        elif name not in before:
            yield SettingDifference(name, "extra", None, after[name])
        elif before[name] != after[name] and not (before[name] != before[name] and after[name] != after[name]):
            yield SettingDifference(name, "changed", before[name], after[name])


def _row(one: TensorDifference) -> dict[str, Any]:
    numbers = asdict(one.change) if one.change else dict.fromkeys(Change.__slots__)
    shapes = {"shape_before": one.shapes[0], "shape_after": one.shapes[1]}
    return {
        "name": one.name,
        "state": one.state,
        **shapes,
        "dtype_before": one.dtypes[0],
        "dtype_after": one.dtypes[1],
        **numbers,
    }
