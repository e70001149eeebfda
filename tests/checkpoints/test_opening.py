"""Any path leads to its reader, or to one error that says what to do."""

from pathlib import Path

import numpy as np
import pytest
import torch

from stetho.checkpoints.opening import holds_checkpoint, open_checkpoint, opened
from stetho.errors import CheckpointDamaged, CheckpointError, CheckpointRefused
from tests.checkpoints import samples


def test_a_folder_with_one_checkpoint_is_that_checkpoint(tmp_path: Path) -> None:
    samples.write_npz(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    assert set(open_checkpoint(tmp_path)) == {"layer.weight", "count"}


def test_safetensors_are_preferred_where_a_model_was_saved_twice(tmp_path: Path) -> None:
    samples.write_npz(tmp_path)
    samples.write_safetensors(tmp_path)
    assert open_checkpoint(tmp_path).format == "safetensors"


def test_a_folder_with_several_asks_for_one(tmp_path: Path) -> None:
    for name in ("a", "b"):
        np.savez(tmp_path / f"{name}.npz", w=np.ones(2))
    with pytest.raises(CheckpointError, match=r"2 checkpoints: a\.npz, b\.npz; name one"):
        open_checkpoint(tmp_path)


def test_says_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="no such file"):
        open_checkpoint(tmp_path / "missing.pt")
    with pytest.raises(CheckpointError, match="no checkpoint in it"):
        open_checkpoint(tmp_path)


def test_says_which_formats_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    with pytest.raises(CheckpointError, match=r"known are safetensors, .*MindSpore"):
        open_checkpoint(tmp_path / "a.txt")


def test_an_empty_file_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "a.pt").touch()
    with pytest.raises(CheckpointDamaged, match="empty"):
        open_checkpoint(tmp_path / "a.pt")


@pytest.mark.parametrize("way", ["hdf5", "views"])
def test_a_small_file_that_claims_to_hold_terabytes_is_refused(tmp_path: Path, way: str) -> None:
    path = tmp_path / ("a.h5" if way == "hdf5" else "a.pt")
    if way == "hdf5":
        h5py = pytest.importorskip("h5py", reason="HDF5 files are written with h5py")
        with h5py.File(path, "w") as file:
            file.create_dataset("w", (1 << 40,), "f4", chunks=(1 << 10,))  # nothing of it is stored
    else:
        storage = torch.ones(1 << 16)
        torch.save({str(number): storage[1:] for number in range(1 << 13)}, path)
    with pytest.raises(CheckpointRefused, match="would unpack to"):
        open_checkpoint(path)


def test_an_open_checkpoint_stays_as_it_is(tmp_path: Path) -> None:
    checkpoint = open_checkpoint(samples.write_npy(tmp_path))
    assert opened(checkpoint) is checkpoint


def test_a_folder_with_checkpoints_in_it_holds_some(tmp_path: Path) -> None:
    assert not holds_checkpoint(tmp_path)
    np.savez(tmp_path / "a", weight=np.ones(3))
    assert holds_checkpoint(tmp_path)
    assert holds_checkpoint(tmp_path / "a.npz")
    assert not holds_checkpoint(tmp_path / "gone.npz")
