"""PyTorch's old format, with storages behind the pickles."""

import pickle
from pathlib import Path

import pytest
import torch

from stetho.checkpoints.opening import open_checkpoint
from stetho.checkpoints.readers.pytorch_legacy import MAGIC
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import write_pytorch_legacy


def test_storages_that_are_shared_are_read_once_for_each_view(tmp_path: Path) -> None:
    whole = torch.arange(6.0)
    torch.save({"whole": whole, "tail": whole[4:]}, tmp_path / "a.pth", _use_new_zipfile_serialization=False)
    checkpoint = open_checkpoint(tmp_path / "a.pth")
    assert (checkpoint.format, checkpoint["tail"].read().tolist()) == ("legacy PyTorch", [4, 5])


def test_a_file_cut_off_in_its_storages_is_damage(tmp_path: Path) -> None:
    path = write_pytorch_legacy(tmp_path)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(CheckpointDamaged, match="bytes are expected"):
        open_checkpoint(path)


def test_a_storage_that_nothing_uses_is_damage(tmp_path: Path) -> None:
    parts = (MAGIC, 1001, {"little_endian": True}, {"epoch": 1}, ["140"])
    (tmp_path / "a.pth").write_bytes(b"".join(pickle.dumps(part, 2) for part in parts) + bytes(16))
    with pytest.raises(CheckpointDamaged, match="nothing uses the storage 140"):
        open_checkpoint(tmp_path / "a.pth")
