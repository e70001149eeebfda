"""Archives of arrays, packed or not."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.checkpoints.stored import FileBytes
from stetho.errors import CheckpointDamaged


def test_arrays_that_are_not_packed_are_read_where_they_lie(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", w=np.arange(6.0).reshape(2, 3))
    tensor = open_checkpoint(tmp_path / "a.npz")["w"]
    assert isinstance(tensor.stored, FileBytes)
    assert tensor.read().tolist() == [[0, 1, 2], [3, 4, 5]]


def test_packed_arrays_larger_than_a_piece_are_unpacked_on_the_way(tmp_path: Path) -> None:
    array = np.random.default_rng(0).integers(0, 9, 400_000)
    np.savez_compressed(tmp_path / "a.npz", w=array, none=np.zeros((0, 3)))
    checkpoint = open_checkpoint(tmp_path / "a.npz")
    np.testing.assert_array_equal(checkpoint["w"].read(), array)
    assert checkpoint["none"].read().shape == (0, 3)


def test_a_damaged_array_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("w.npy", b"no array")
    with pytest.raises(CheckpointDamaged, match=r"a\.npz: w\.npy"):
        open_checkpoint(tmp_path / "a.npz")


def test_a_packed_array_shorter_than_its_header_says_is_damage(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.arange(10.0))
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w.npy", (tmp_path / "w.npy").read_bytes()[:-8])
    with pytest.raises(CheckpointDamaged, match="are expected"):
        open_checkpoint(tmp_path / "a.npz")["w"].read()
