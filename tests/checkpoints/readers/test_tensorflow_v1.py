"""TensorFlow's older files."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import message, sorted_table

TEXT = message((1, "text"), (2, b""), (3, 7))
WEIGHT = message((1, "w"), (2, message((2, message((1, 2))))), (3, 1))


def written(folder: Path, **entries: bytes) -> Path:
    (folder / "model.ckpt").write_bytes(
        sorted_table({"" if key == "meta" else key: one for key, one in entries.items()})
    )
    return folder / "model.ckpt"


def test_texts_are_noted(tmp_path: Path) -> None:
    path = written(tmp_path, meta=message((1, message((1, TEXT)))), text=message((2, message((1, "text"), (3, b"")))))
    assert open_checkpoint(path).notes == ("`text` holds TensorFlow type 7, no numbers; it was not read",)


def sharded(folder: Path) -> list[Path]:
    """A vector in two files, and a vector in the second alone."""

    def piece(name: str, start: int, values: bytes) -> bytes:
        place = message((1, message((1, start), (2, 1))))
        return message((2, message((1, name), (2, place), (3, message((4, values))))))

    other = WEIGHT.replace(b"w", b"v")
    paths = [folder / f"model.ckpt-0000{number}-of-00002" for number in range(2)]
    paths[0].write_bytes(
        sorted_table({"": message((1, message((1, WEIGHT)))), "w": piece("w", 0, np.float32(3).tobytes())})
    )
    both = {"v": piece("v", 0, np.float32(7).tobytes()) + piece("v", 1, np.float32(8).tobytes())}
    both |= {"w": piece("w", 1, np.float32(4).tobytes())}
    paths[1].write_bytes(sorted_table({"": message((1, message((1, WEIGHT), (1, other)))), **both}))
    return paths


@pytest.mark.parametrize("name", ["", "model.ckpt", "model.ckpt-00000-of-00002", "model.ckpt-00001-of-00002"])
def test_shards_are_one_checkpoint(tmp_path: Path, name: str) -> None:
    sharded(tmp_path)
    found = open_checkpoint(tmp_path / name)
    assert {key: each.read().tolist() for key, each in found.items()} == {"w": [3.0, 4.0], "v": [7.0, 8.0]}


def test_a_missing_shard_is_told(tmp_path: Path) -> None:
    sharded(tmp_path)[1].unlink()
    with pytest.raises(CheckpointDamaged, match="00001-of-00002: missing; copy the whole checkpoint"):
        open_checkpoint(tmp_path / "model.ckpt")


def test_shards_that_contradict_each_other_are_damage(tmp_path: Path) -> None:
    paths = sharded(tmp_path)
    wide = message((1, "w"), (2, message((2, message((1, 3))))), (3, 1))
    paths[1].write_bytes(sorted_table({"": message((1, message((1, wide))))}))
    with pytest.raises(CheckpointDamaged, match="another shape or type"):
        open_checkpoint(paths[0])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (message((2, message((1, "w"), (3, b"")))), "needs 2 elements"),
        (message((2, message((1, "other"), (3, b"")))), "which the file does not describe"),
        (message((2, message((1, "w"), (3, message((5, bytes(8)), (4, bytes(8))))))), "values of several kinds"),
        (b"", "`w` has no values"),
    ],
)
def test_values_that_do_not_fit_are_damage(tmp_path: Path, values: bytes, said: str) -> None:
    path = written(tmp_path, meta=message((1, message((1, WEIGHT)))), w=values)
    with pytest.raises(CheckpointDamaged, match=said):
        open_checkpoint(path)
