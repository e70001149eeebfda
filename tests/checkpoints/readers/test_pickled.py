"""Bare pickles of arrays."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged, CheckpointRefused
from tests.checkpoints.samples import write_pickled


class Bomb:
    """Runs a command when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("touch it-ran",)


def test_values_beside_the_arrays_are_settings(tmp_path: Path) -> None:
    assert open_checkpoint(write_pickled(tmp_path)).settings == {"epoch": 3}


def test_types_that_numpy_lacks_are_read(tmp_path: Path) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="bfloat16 arrays are made with ml_dtypes")
    tree = {"w": np.array([1.5, -2.0], ml_dtypes.bfloat16), "e": np.array([0.5], ml_dtypes.float8_e4m3fn)}
    (tmp_path / "a.pkl").write_bytes(pickle.dumps(tree))
    checkpoint = open_checkpoint(tmp_path / "a.pkl")
    assert (checkpoint["w"].dtype, checkpoint["w"].read().tolist()) == ("bfloat16", [1.5, -2.0])
    assert checkpoint["e"].read().tolist() == [0.5]


def test_a_bomb_is_refused_and_does_not_go_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.pkl").write_bytes(pickle.dumps([Bomb()]))
    with pytest.raises(CheckpointRefused, match=r"posix\.system"):
        open_checkpoint("a.pkl")
    assert not Path("it-ran").exists()


def test_a_torch_storage_that_is_elsewhere_is_damage(tmp_path: Path) -> None:
    reference = b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x01tQ"
    tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + reference + b"K\x00K\x01\x85K\x01\x85\x89}tR"
    (tmp_path / "a.pkl").write_bytes(b"\x80\x02" + tensor + b".")
    with pytest.raises(CheckpointDamaged, match="which is not in the file"):
        open_checkpoint(tmp_path / "a.pkl")
