"""PyTorch's zip format, also compressed, scripted and hostile."""

import pickle
import zipfile
from pathlib import Path

import pytest
import torch

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged, CheckpointRefused
from tests.checkpoints.samples import write_pytorch


class Bomb:
    """Asks for a harmful function when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return eval, ("print('it ran')",)


def repacked(path: Path, way: int, **changed: bytes) -> Path:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", way) as archive:
        for name, content in members.items():
            archive.writestr(name, changed.get(name.rpartition("/")[2].replace(".", "_"), content))
    return path


def test_settings_stand_beside_the_tensors(tmp_path: Path) -> None:
    checkpoint = open_checkpoint(write_pytorch(tmp_path))
    assert checkpoint.settings == {"epoch": 3}
    assert checkpoint["half"].dtype == "bfloat16"


def test_compressed_archives_are_read_too(tmp_path: Path) -> None:
    path = repacked(write_pytorch(tmp_path), zipfile.ZIP_DEFLATED)
    assert open_checkpoint(path)["half"].read().tolist() == [1, 1]


def test_big_endian_storages_are_turned(tmp_path: Path) -> None:
    torch.save({"n": torch.tensor([1], dtype=torch.int32)}, tmp_path / "a.pt")
    path = repacked(tmp_path / "a.pt", zipfile.ZIP_STORED, byteorder=b"big")
    assert open_checkpoint(path)["n"].read().tolist() == [1 << 24]


def test_scripted_models_are_read(tmp_path: Path) -> None:
    model = torch.nn.Linear(2, 3)
    with pytest.warns(DeprecationWarning, match="trace"):
        torch.jit.trace(model, torch.ones(1, 2)).save(tmp_path / "a.pt")
    assert {name: tensor.shape for name, tensor in open_checkpoint(tmp_path / "a.pt").items()} == {
        "weight": (3, 2),
        "bias": (3,),
    }


def test_a_bomb_in_the_tree_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = repacked(write_pytorch(tmp_path), zipfile.ZIP_STORED, data_pkl=pickle.dumps({"w": Bomb()}))
    with pytest.raises(CheckpointRefused, match=r"a\.pt: the pickle calls `builtins\.eval`"):
        open_checkpoint(path)
    assert "it ran" not in capfd.readouterr().out


def test_a_missing_storage_is_damage(tmp_path: Path) -> None:
    path = write_pytorch(tmp_path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if not name.endswith("data/0")}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(CheckpointDamaged, match="`a/data/0` is missing"):
        open_checkpoint(path)


def test_an_archive_cut_off_in_the_middle_is_damage(tmp_path: Path) -> None:
    path = write_pytorch(tmp_path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointDamaged, match=r"a\.pt: cannot be read"):
        open_checkpoint(path)
