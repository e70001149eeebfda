"""The measurements that two runs have in common."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from stetho.comparing.runs import joined as module
from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.matching import match
from stetho.comparing.runs.recorded import Recorded
from stetho.records import Series
from stetho.store.format import MEASURES, MODEL_FILE
from stetho.store.reader import Run
from stetho.store.writer import RunWriter
from tests.comparing.trainings import Net, Record

TENSORS = 200
MIB = 1 << 20


def joined(one: Run, other: Run, offset: int = 0) -> Joined:
    sides = Recorded(one), Recorded(other, offset=offset)
    return Joined(*sides, match(*sides))


def test_equal_runs_have_no_errors(record: Record) -> None:
    errors = joined(record(), record()).errors
    assert len(errors.steps) > 1
    assert errors.first_beyond(0.0) is None
    assert np.nanmax(errors.outputs) == 0


def test_the_errors_of_a_step_are_those_of_its_rows(record: Record) -> None:
    found = joined(record(), record(model=lambda: Net(scale=0.5)))
    for place, step in enumerate(found.errors.steps.tolist()):
        rows = found.at(step)
        for least in (0.0, 1e-3, 0.1, 10.0):
            assert (found.errors.largest[place] > least) == rows.beyond(least).any()


def test_short_stretches_give_what_one_long_one_gives(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = record(), record(seed=1)
    whole = joined(one, other).errors
    monkeypatch.setattr(module, "MOST_ROWS", 1)
    parts = joined(one, other).errors
    assert all(np.array_equal(getattr(whole, n), getattr(parts, n), equal_nan=True) for n in ("steps", "largest"))


def test_rows_of_other_steps_are_not_joined(record: Record) -> None:
    found = joined(record(steps=2), record(steps=2), offset=9)
    assert len(found.errors.steps) == len(found.at(1).steps) == 0


def test_an_update_that_one_run_alone_has_is_infinitely_apart(record: Record) -> None:
    import torch

    found = joined(record(), record(optimizer=lambda p: torch.optim.SGD(list(p)[:-1], lr=0.1, momentum=0.9)))
    rows = found.at(1)
    lonely = {found.names[int(s)].name for s, e in zip(rows.series, rows.errors, strict=True) if np.isinf(e)}
    assert lonely == {"head.bias"}


def test_long_runs_are_not_held_in_memory(tmp_path: Path) -> None:
    runs = [long_run(tmp_path / name, steps=1500, changed=changed) for name, changed in (("one", 0), ("other", 1490))]
    tracemalloc.start()
    try:
        found = compare_runs(*runs)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.verdict.step, found.first_difference and found.first_difference.name) == (1490, "layer.7")
    # All rows of both runs would take more than four times as much.
    rows = 2 * 1500 * TENSORS * (2 + len(MEASURES)) * 8
    assert peak < min(rows / 2, 60 * MIB)


def long_run(out: Path, steps: int, changed: int) -> Run:
    """A run of many steps; from one of them on, one layer gives other outputs."""
    block = np.random.default_rng(0).lognormal(size=(TENSORS, 1 + len(MEASURES)))
    block[:, 0] = np.arange(TENSORS)
    writer = RunWriter.create(out, "long", {})
    names = [f"layer.{number}" for number in range(TENSORS)]
    for number, name in enumerate(names):
        writer.define(Series(number, 0, name, "act", "train"))
    layers = [{"name": name, "class": "Linear", "parameters": []} for name in names]
    writer.write_json(MODEL_FILE, {"models": [{"id": 0, "layers": layers, "parameters": []}]})
    for step in range(1, steps + 1):
        rows = block.copy()
        rows[7, 1:] *= 1.5 if 0 < changed <= step else 1
        writer.append_stats(step, rows)
        if step % 100 == 0:
            writer.flush()
    writer.close({})
    return Run(writer.path)
