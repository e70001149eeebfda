"""One array in a file; objects are refused."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged


def test_the_tensor_has_the_name_of_the_file(tmp_path: Path) -> None:
    np.save(tmp_path / "weight.npy", np.arange(3))
    assert open_checkpoint(tmp_path / "weight.npy")["weight"].read().tolist() == [0, 1, 2]


def test_objects_are_not_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(CheckpointDamaged, match="Python objects"):
        open_checkpoint(tmp_path / "a.npy")


def test_texts_are_no_weights(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array(["text"]))
    with pytest.raises(CheckpointDamaged, match="no element type"):
        open_checkpoint(tmp_path / "a.npy")


@pytest.mark.parametrize("shape", ["(-1,)", "(1000000000000,)", "(3, 10**9)", "__import__('os')"])
def test_a_shape_that_lies_is_damage(tmp_path: Path, shape: str) -> None:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}".encode().ljust(117) + b"\n"
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(12))
    with pytest.raises(CheckpointDamaged):
        open_checkpoint(tmp_path / "a.npy")
