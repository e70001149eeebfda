"""NNabla's parameters: packed and single floats, in archives and bare, or as HDF5."""

import struct
import zipfile
from pathlib import Path

import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import message, varint, write_hdf5


def test_a_file_without_parameters_is_damage(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.nnp", "w") as archive:
        archive.writestr("nnp_version.txt", "0.1")
    with pytest.raises(CheckpointDamaged, match="no parameters"):
        open_checkpoint(tmp_path / "a.nnp")


def nested(name: str, data: bytes) -> bytes:
    inner = message((1, name), (20, message((1, 2)))) + data
    return message((200, inner))


@pytest.mark.parametrize("is_packed", [True, False])
def test_floats_are_read_packed_and_one_by_one(tmp_path: Path, is_packed: bool) -> None:
    values = struct.pack("<2f", 1.5, 2.5)
    singles = b"".join(varint(100 << 3 | 5) + values[at : at + 4] for at in (0, 4))
    content = nested("conv/W", message((100, values)) if is_packed else singles)
    (tmp_path / "a.protobuf").write_bytes(content)
    assert open_checkpoint(tmp_path / "a.protobuf")["conv/W"].read().tolist() == [1.5, 2.5]


def test_parameters_as_hdf5_are_read_in_place(tmp_path: Path) -> None:
    weights = write_hdf5(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.nnp", "w") as archive:
        archive.writestr("nnp_version.txt", "0.1")
        archive.write(weights, "parameter.h5")
    assert set(open_checkpoint(tmp_path / "a.nnp")) == {"layer/weight", "count"}
