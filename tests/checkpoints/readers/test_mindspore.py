"""MindSpore's protocol buffers, also in pieces."""

from pathlib import Path

import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import WEIGHT, message


def value(name: str, kind: str, content: bytes, *sizes: int) -> tuple[int, bytes]:
    tensor = message(*((1, size) for size in sizes), (2, kind), (3, content))
    return 1, message((1, name), (2, tensor))


def test_a_tensor_in_pieces_is_one_tensor(tmp_path: Path) -> None:
    content = WEIGHT.tobytes()
    pieces = [value("w", "Float32", content[:10], 2, 3), value("w", "Float32", content[10:], 2, 3)]
    (tmp_path / "a.ckpt").write_bytes(message(*pieces))
    assert open_checkpoint(tmp_path / "a.ckpt")["w"].read().tolist() == WEIGHT.tolist()


def test_scalars_half_floats_and_flags_are_read(tmp_path: Path) -> None:
    values = [value("n", "Int64", (3).to_bytes(8, "little")), value("b", "BFloat16", b"\x80\x3f", 1)]
    (tmp_path / "a.ckpt").write_bytes(message(*values, value("f", "Bool", b"\x01\x00", 2)))
    found = {name: tensor.read().tolist() for name, tensor in open_checkpoint(tmp_path / "a.ckpt").items()}
    assert found == {"n": 3, "b": [1.0], "f": [True, False]}


def test_unknown_types_and_maps_are_noted(tmp_path: Path) -> None:
    (tmp_path / "a.ckpt").write_bytes(message(value("w", "Odd", b"", 0), (1, message((1, "map"), (3, b"")))))
    assert len(open_checkpoint(tmp_path / "a.ckpt").notes) == 2


def test_pieces_that_contradict_each_other_are_damage(tmp_path: Path) -> None:
    values = [value("w", "Float32", bytes(4), 2), value("w", "Float32", bytes(4), 3)]
    (tmp_path / "a.ckpt").write_bytes(message(*values))
    with pytest.raises(CheckpointDamaged, match="differ in shape"):
        open_checkpoint(tmp_path / "a.ckpt")
