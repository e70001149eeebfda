"""One side of a comparison: a recorded run as arrays, with what is known of its layers and parameters."""

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from stetho.records import Series
from stetho.store.columns import to_numpy, to_numpy_with_nan
from stetho.store.reader import Run

Array = npt.NDArray[Any]

COMPARED = ("count", "nan", "inf", "zeros", "min", "max", "mean", "std", "rms", "absmax")
"""The measures of a tensor that two runs are compared by, in the columns of `Recorded.stats`."""

NUMBERS_OF_A_STEP = (
    "step",
    "loss",
    "lr",
    "batch_size",
    "forwards",
    "backwards",
    "clip_norm",
    "clip_max",
    "loss_scale",
    "grad_norm",
)

ROWS_AT_A_TIME = 1024


class Recorded:
    """A run, read when it is asked for. `offset` is added to its steps: a resumed run goes on where another ended."""

    def __init__(self, run: Run, *, offset: int = 0) -> None:
        self.run = run
        self.offset = offset
        self.name = run.name

    @functools.cached_property
    def steps(self) -> dict[str, Array]:
        """The columns of the `steps` table that hold numbers and words."""
        batches = self.run.rows("steps").batches()
        columns = {name: _joined([to_numpy_with_nan(b.column(name)) for b in batches]) for name in NUMBERS_OF_A_STEP}
        columns |= {
            name: np.asarray([value for b in batches for value in b.column(name).to_pylist()], dtype=object)
            for name in ("order", "stale_grad")
        }
        # A loss that is NaN was seen; one that is null was not.
        columns["loss_seen"] = np.asarray([v is not None for b in batches for v in b.column("loss").to_pylist()], bool)
        columns["step"] = columns["step"].astype(np.int64) + self.offset
        return columns

    @functools.cached_property
    def measured_steps(self) -> tuple[Array, Array]:
        """The steps at which tensors were measured, and how many rows each has."""
        found: dict[int, int] = {}
        for batch in self.run.rows("stats").batches():
            for step, count in zip(*np.unique(to_numpy(batch.column("step")), return_counts=True), strict=True):
                found[int(step)] = found.get(int(step), 0) + int(count)
        steps = np.asarray(sorted(found), dtype=np.int64)
        return steps + self.offset, np.asarray([found[step] for step in steps.tolist()], dtype=np.int64)

    def stats(self, first: int, last: int) -> tuple[Array, Array, Array]:
        """Steps, series and measures (a row for each, columns as in `COMPARED`) of the steps from `first` to `last`."""
        batches = self.run.rows("stats").of_steps(first - self.offset, last - self.offset)
        steps, series, *measures = (
            _joined([to_numpy_with_nan(b.column(name)) for b in batches]) for name in ("step", "series", *COMPARED)
        )
        return steps.astype(np.int64) + self.offset, series.astype(np.int64), np.stack(measures, axis=1)

    def batches(self) -> Iterator[dict[str, Any]]:
        """The rows of the `batches` table one by one, without those that were not for training."""
        for rows in self.run.rows("batches").batches():
            for begin in range(0, rows.num_rows, ROWS_AT_A_TIME):
                for row in rows.slice(begin, ROWS_AT_A_TIME).to_pylist():
                    if row["phase"] == "train":
                        yield row | {"step": row["step"] + self.offset}

    @property
    def series(self) -> list[Series]:
        """All series, in the order in which they were first measured."""
        return self.run.series

    @functools.cached_property
    def models(self) -> list[dict[str, Any]]:
        """What model.json says of each model."""
        return list(self.run.model.get("models", []))

    @functools.cached_property
    def layers(self) -> dict[tuple[int, str], Mapping[str, Any]]:
        """What is known of every layer, by model and name."""
        return {(model["id"], layer["name"]): layer for model in self.models for layer in model["layers"]}

    @functools.cached_property
    def parameters(self) -> dict[tuple[int, str], Mapping[str, Any]]:
        """What is known of every parameter, by model and name."""
        return {(model["id"], one["name"]): one for model in self.models for one in model["parameters"]}

    def edges_into(self, model: int) -> dict[str, list[str]]:
        """For each layer of a model, the layers whose outputs it takes."""
        edges = next((each.get("edges") or [] for each in self.models if each.get("id") == model), [])
        found: dict[str, list[str]] = {}
        for source, to, _ in edges:
            found.setdefault(to, []).append(source)
        return found

    def layer_of(self, model: int, name: str) -> Mapping[str, Any]:
        """The layer with this name, or the one that holds the parameter with this name; empty if none is known."""
        plain = name.partition("[")[0]
        while True:
            found = self.layers.get((model, plain))
            if found is not None:
                return found
            if not plain:
                return {}
            plain = plain.rpartition(".")[0]

    def fact(self, key: str) -> list[dict[str, Any]]:
        """A list of model.json: optimizers, schedulers, loaders, losses."""
        return [each for each in self.run.model.get(key, []) if isinstance(each, dict)]


def _joined(parts: list[Array]) -> Array:
    return np.concatenate(parts).astype(np.float64) if parts else np.empty(0)
