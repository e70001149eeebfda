"""Several files with an index: all of them are read, and the index cannot point elsewhere."""

import json
from pathlib import Path

import pytest
import torch

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged, CheckpointRefused
from stetho.store.tensors import write_tensors
from tests.checkpoints.samples import WEIGHT, write_sharded


def test_the_folder_is_as_good_as_the_index(tmp_path: Path) -> None:
    write_sharded(tmp_path)
    checkpoint = open_checkpoint(tmp_path)
    assert (checkpoint.format, list(checkpoint)) == ("sharded safetensors", ["layer.weight", "count"])


def test_shards_of_pytorch_are_read(tmp_path: Path) -> None:
    torch.save({"w": torch.ones(2)}, tmp_path / "pytorch_model-1.bin")
    index = tmp_path / "pytorch_model.bin.index.json"
    index.write_text(json.dumps({"weight_map": {"w": "pytorch_model-1.bin"}}))
    assert open_checkpoint(index)["w"].read().tolist() == [1, 1]


@pytest.mark.parametrize("name", ["../secret.safetensors", "/etc/passwd", "a/../../b", "", 3, None])
def test_a_shard_elsewhere_is_refused(tmp_path: Path, name: object) -> None:
    (tmp_path / "model.index.json").write_text(json.dumps({"weight_map": {"w": name}}))
    with pytest.raises(CheckpointRefused, match="leads elsewhere"):
        open_checkpoint(tmp_path / "model.index.json")


def test_a_missing_shard_or_tensor_is_damage(tmp_path: Path) -> None:
    index = write_sharded(tmp_path)
    index.write_text(index.read_text().replace("layer.weight", "layer.bias"))
    with pytest.raises(CheckpointDamaged, match=r"`layer\.bias` is not in model-1"):
        open_checkpoint(index)
    (tmp_path / "model-2.safetensors").unlink()
    with pytest.raises(CheckpointDamaged, match="beside it is missing; copy the whole folder"):
        open_checkpoint(index)


def test_tensors_that_the_index_forgot_are_noted(tmp_path: Path) -> None:
    index = write_sharded(tmp_path)
    write_tensors(tmp_path / "model-1.safetensors", {"layer.weight": WEIGHT, "forgotten": WEIGHT})
    assert open_checkpoint(index).notes == ("`forgotten` is in model-1.safetensors and not in the index",)
