"""A run survives whatever happens to its writer, at every single system call."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from stetho.errors import NotARun, RunNotFound
from stetho.store.format import MEASURES
from stetho.store.reader import open_run
from stetho.store.writer import RunWriter

from .conftest import SERIES, number, sealed_after, stats_rows
from .faults import Killed, disk_full, faults, kill, kill_halfway

STEPS = 6
TABLES = ("steps", "stats")
"""One table of each kind is enough: with and without series."""


class Scenario:
    """A short recording that flushes, seals and merges; it knows what has been flushed."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.flushed = 0
        self.writer: RunWriter | None = None

    def record(self) -> None:
        with sealed_after(rows=16, batches=2):
            self.writer = RunWriter.create(self.out, "train", {})
            for one in SERIES:
                self.writer.define(one)
            for step in range(1, STEPS + 1):
                write_rows(self.writer, step)
                self.writer.flush()
                self.flushed = step
            self.writer.close({})


def write_rows(writer: RunWriter, step: int) -> None:
    writer.append("steps", {"step": step, "tier": "full"})
    writer.append_stats(step, stats_rows(step))


def steps_on_disk(out: Path) -> dict[str, int]:
    """How many steps each table holds, after proof that it holds each of them once and unharmed."""
    run = open_run(out)
    found = {}
    for table in TABLES:
        rows = run.table(table)
        steps = sorted(rows["step"].to_pylist())
        last = max(steps, default=0)
        each = rows.num_rows // last if last else 0
        assert steps == [step for step in range(1, last + 1) for _ in range(each)]
        found[table] = last
    for row in run.table("stats").to_pylist():
        assert [row[name] for name in MEASURES] == [number(row["step"], row["series"], name) for name in MEASURES]
    return found


def count_calls(tmp_path: Path) -> int:
    with faults(-1, kill) as state:
        Scenario(tmp_path / "whole").record()
    return state.calls


@pytest.mark.parametrize("strike", [kill, kill_halfway])
def test_a_kill_at_any_system_call_loses_nothing_that_was_flushed(tmp_path: Path, strike: Callable[..., None]) -> None:
    for call in range(count_calls(tmp_path)):
        scenario = Scenario(tmp_path / str(call))
        with pytest.raises(Killed), faults(call, strike):
            scenario.record()
        try:
            found = steps_on_disk(scenario.out)
        except (RunNotFound, NotARun):
            assert scenario.writer is None, f"the run is gone after a kill at call {call}"
        else:
            assert min(found.values()) >= scenario.flushed, f"killed at call {call}"


def test_a_full_disk_is_an_error_and_loses_nothing_that_was_flushed(tmp_path: Path) -> None:
    for call in range(count_calls(tmp_path)):
        scenario = Scenario(tmp_path / str(call))
        with faults(call, disk_full) as state:
            state.at = FromHereOn(call)  # type: ignore[assignment]
            try:
                scenario.record()
            except OSError:
                pass
            else:
                # Nothing but clearing up was left to do.
                assert scenario.flushed == STEPS
            if scenario.writer:
                assert min(steps_on_disk(scenario.out).values()) >= scenario.flushed, f"full at call {call}"
                state.at = -1
                scenario.writer.flush()
                assert min(steps_on_disk(scenario.out).values()) >= scenario.flushed, f"full at call {call}"


def test_rows_that_did_not_fit_are_written_when_there_is_room_again(tmp_path: Path) -> None:
    for call in range(count_calls(tmp_path)):
        scenario = Scenario(tmp_path / str(call))
        with sealed_after(rows=16, batches=2), faults(-1, disk_full) as state:
            writer = RunWriter.create(scenario.out, "train", {})
            for one in SERIES:
                writer.define(one)
            state.at, state.calls = call, 0
            failures = 0
            for step in range(1, STEPS + 1):
                write_rows(writer, step)
                try:
                    writer.flush()
                except OSError:
                    failures += 1
                    state.calls += 1
            state.at = -1
            writer.close({})
        assert failures <= 1
        assert set(steps_on_disk(scenario.out).values()) == {STEPS}


def test_ctrl_c_at_any_line_of_a_flush_neither_loses_nor_doubles_a_row(tmp_path: Path) -> None:
    passed = interrupted_recording(tmp_path / "whole", at=-1)
    last_pass = {line: count for count, line in enumerate(passed)}
    assert len(last_pass) > 100
    for line, count in last_pass.items():
        out = tmp_path / str(count)
        assert interrupted_recording(out, at=count)[count] == line
        assert set(steps_on_disk(out).values()) == {STEPS}, f"Ctrl-C at {line}"


def interrupted_recording(out: Path, at: int) -> list[tuple[str, int]]:
    """Record with Ctrl-C at one line of the store; the lines that the flushes run through."""
    passed = []

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        if "stetho/store/" not in frame.f_code.co_filename:
            return None
        if event == "line":
            passed.append((frame.f_code.co_filename, frame.f_lineno))
            if len(passed) == at + 1:
                raise KeyboardInterrupt
        return trace

    with sealed_after(rows=16, batches=2):
        writer = RunWriter.create(out, "train", {})
        for one in SERIES:
            writer.define(one)
        for step in range(1, STEPS + 1):
            write_rows(writer, step)
            before = sys.gettrace()
            sys.settrace(trace)
            try:
                writer.flush()
            except KeyboardInterrupt:
                assert at >= 0
            finally:
                sys.settrace(before)
        writer.close({})
    return passed


class FromHereOn(int):
    """Equal to every number from its own on."""

    def __eq__(self, other: Any) -> bool:
        return bool(other >= int(self))

    __hash__ = int.__hash__


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(OSError, match="file"):
        RunWriter.create(blocked, "train", {})


def test_a_folder_that_is_deleted_meanwhile_is_an_error(tmp_path: Path) -> None:
    import shutil

    with sealed_after(rows=4, batches=100):
        writer = RunWriter.create(tmp_path, "train", {})
        write_rows(writer, 1)
        shutil.rmtree(writer.path)
        with pytest.raises(OSError, match="No such file"):
            writer.flush()
        with pytest.raises(OSError, match="No such file"):
            writer.close({})
    assert not os.listdir(tmp_path)
