"""What is compared with what."""

from pathlib import Path

import numpy as np
import pytest

from stetho.comparing.kinds import compare
from stetho.errors import RunError, UsageError
from tests.comparing.trainings import Record


def test_runs_are_given_open_or_by_their_folders(record: Record) -> None:
    one, other = record(), record()
    assert compare(one, str(other.path)).is_equal


def test_a_tolerance_has_to_be_above_zero(record: Record) -> None:
    run = record(steps=1)
    with pytest.raises(UsageError, match=r"`tolerance` \(=0\) is not above 0"):
        compare(run, run, tolerance=0)


def test_a_run_and_something_else_are_no_pair(record: Record, tmp_path: Path) -> None:
    with pytest.raises((UsageError, RunError), match="nothing"):
        compare(record(steps=1), tmp_path / "nothing")


def test_a_hint_tells_how_to_see_more(record: Record) -> None:
    found = compare(record(), record(seed=1))
    assert any("--rerun" in note for note in found.notes)


def test_dumped_tensors_are_compared_element_by_element(record: Record) -> None:
    found = compare(record(dump="*@1"), record(seed=1, dump="*@1"))
    assert found.first_difference is not None
    assert found.first_difference.tensors is not None
    assert found.first_difference.tensors.differing == found.first_difference.tensors.count
    assert found.notes == []


def test_a_program_that_is_gone_is_said_to_be_gone(record: Record) -> None:
    one, other = record(), record(seed=1)
    for run in (one, other):
        run.info["command"] = ["gone.py"]
    found = compare(one, other, rerun=True)
    assert any("not there any more" in note for note in found.notes)


def test_checkpoint_files_are_compared_tensor_by_tensor(tmp_path: Path) -> None:
    for name, value in (("a", 1.0), ("b", 2.0)):
        np.savez(tmp_path / name, weight=np.full(3, value), bias=np.zeros(3))
    found = compare(tmp_path / "a.npz", str(tmp_path / "b.npz"))
    assert (found.is_equal, found.first_difference.name) == (False, "weight")
    assert compare(tmp_path / "a.npz", tmp_path / "a.npz").is_equal
    with pytest.raises(UsageError, match="compared bit by bit"):
        compare(tmp_path / "a.npz", tmp_path / "b.npz", tolerance=0.1)


def test_a_checkpoint_and_something_else_are_no_pair(record: Record, tmp_path: Path) -> None:
    np.savez(tmp_path / "a", weight=np.ones(3))
    for other in (record(steps=1), tmp_path / "gone.npz"):
        with pytest.raises(UsageError, match="is no checkpoint, and the other one is"):
            compare(tmp_path / "a.npz", other)
