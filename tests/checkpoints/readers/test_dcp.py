"""PyTorch's distributed checkpoints, with tensors in several chunks."""

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.distributed.checkpoint.metadata import (
    ChunkStorageMetadata,
    Metadata,
    MetadataIndex,
    TensorProperties,
    TensorStorageMetadata,
)

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged, CheckpointRefused
from tests.checkpoints.samples import write_dcp

WHOLE = torch.arange(24.0).reshape(4, 6)


def write_chunks(
    folder: Path, begins: list[tuple[int, int]], shape: tuple[int, int], file: str = "__0_0.distcp"
) -> Path:
    from torch.distributed.checkpoint.filesystem import _StorageInfo as Info

    chunks, places, content = [], {}, b""
    for number, (row, column) in enumerate(begins):
        saved = io.BytesIO()
        torch.save(WHOLE[row : row + shape[0], column : column + shape[1]].clone(), saved)
        chunks.append(ChunkStorageMetadata(torch.Size((row, column)), torch.Size(shape)))
        index = MetadataIndex("w", torch.Size((row, column)), number)
        places[index] = Info(file, len(content), saved.getbuffer().nbytes)
        content += saved.getvalue()
    described = TensorStorageMetadata(TensorProperties(torch.float32), WHOLE.size(), chunks)
    folder.mkdir(exist_ok=True)
    (folder / "__0_0.distcp").write_bytes(content)
    about: Any = Metadata({"w": described}, {}, places)
    (folder / ".metadata").write_bytes(pickle.dumps(about))
    return folder


@pytest.mark.parametrize(
    ("begins", "shape"),
    [([(0, 0)], (4, 6)), ([(2, 0), (0, 0)], (2, 6)), ([(0, 0), (0, 3), (2, 0), (2, 3)], (2, 3))],
)
def test_chunks_are_put_together(tmp_path: Path, begins: list[tuple[int, int]], shape: tuple[int, int]) -> None:
    checkpoint = open_checkpoint(write_chunks(tmp_path / "dcp", begins, shape))
    np.testing.assert_array_equal(checkpoint["w"].read(), WHOLE.numpy(), strict=True)


def test_values_beside_the_tensors_are_settings(tmp_path: Path) -> None:
    assert open_checkpoint(write_dcp(tmp_path)).settings == {"epoch": 3}


def test_chunks_that_do_not_cover_the_tensor_are_damage(tmp_path: Path) -> None:
    with pytest.raises(CheckpointDamaged, match="do not add up"):
        open_checkpoint(write_chunks(tmp_path / "dcp", [(0, 0)], (2, 6)))


def test_chunks_in_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointRefused, match="leads elsewhere"):
        open_checkpoint(write_chunks(tmp_path / "dcp", [(0, 0)], (4, 6), file="../__0_0.distcp"))
