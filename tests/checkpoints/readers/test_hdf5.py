"""HDF5 through h5py; nothing outside of the file is read."""

import sys
from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointRefused, MissingPackage
from tests.checkpoints.samples import write_hdf5

h5py = pytest.importorskip("h5py", reason="HDF5 files are written with h5py")


def test_texts_are_noted_and_not_read(tmp_path: Path) -> None:
    checkpoint = open_checkpoint(write_hdf5(tmp_path))
    assert set(checkpoint) == {"layer/weight", "count"}
    assert checkpoint.notes[0].startswith("`name` holds object")


def test_names_that_keras_gives_its_groups_are_settings(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["layers/dense/vars/0"] = np.ones(2)
        file["layers/dense/vars"].attrs["name"] = "head"
    assert open_checkpoint(tmp_path / "a.h5").settings == {"layers/dense/vars/name": "head"}


def test_large_data_sets_are_read_in_slabs(tmp_path: Path) -> None:
    array = np.arange(3_000_000, dtype=np.float32).reshape(1000, 3000)
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["w"], file["scalar"], file["none"] = array, np.float64(2.5), np.zeros((0, 2))
    checkpoint = open_checkpoint(tmp_path / "a.h5")
    np.testing.assert_array_equal(checkpoint["w"].read(), array)
    assert (checkpoint["scalar"].read(), checkpoint["none"].read().shape) == (2.5, (0, 2))


@pytest.mark.parametrize("kind", ["link", "storage", "virtual"])
def test_data_in_other_files_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "secret").write_bytes(bytes(100))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        if kind == "link":
            file["w"] = h5py.ExternalLink("secret.h5", "/w")
        elif kind == "storage":
            file.create_dataset("w", (10,), "f4", external=[(str(tmp_path / "secret"), 0, 40)])
        else:
            layout = h5py.VirtualLayout((4,), "f4")
            layout[:] = h5py.VirtualSource("secret.h5", "w", (4,))
            file.create_virtual_dataset("w", layout)
    with pytest.raises(CheckpointRefused, match="another file"):
        open_checkpoint(tmp_path / "a.h5")


def test_groups_in_a_circle_are_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        group = file.create_group("g")
        group["g"] = group
    with pytest.raises(CheckpointRefused, match="in a circle"):
        open_checkpoint(tmp_path / "a.h5")


def test_a_missing_library_gives_the_line_that_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_hdf5(tmp_path)
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(MissingPackage, match=r"pip install 'stetho\[hdf5\]'"):
        open_checkpoint(path)
