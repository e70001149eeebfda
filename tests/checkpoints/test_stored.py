"""Bytes come in whole, in blocks of one size, and never from outside of their stretch."""

from pathlib import Path

import pytest

from stetho.checkpoints.stored import HeldBytes, whole_file
from stetho.errors import CheckpointDamaged


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bytes"
    path.write_bytes(bytes(range(100)))
    return path


def test_a_stretch_of_a_file_is_read_block_by_block(file: Path) -> None:
    stretch = whole_file(file).part(10, 25).part(5, 15)
    assert [block.tolist() for block in stretch.blocks(10)] == [list(range(15, 25)), list(range(25, 30))]
    assert stretch.head(3) == bytes([15, 16, 17])


@pytest.mark.parametrize(("offset", "size"), [(-1, 2), (90, 11), (0, -1), (101, 0)])
def test_a_stretch_outside_is_damage(file: Path, offset: int, size: int) -> None:
    for stretch in (whole_file(file), HeldBytes(bytes(100), file)):
        with pytest.raises(CheckpointDamaged, match="100 are in all"):
            stretch.part(offset, size)


def test_a_file_that_is_cut_off_while_it_is_read_is_damage_and_no_crash(file: Path) -> None:
    stretch = whole_file(file)
    file.write_bytes(b"short")
    with pytest.raises(CheckpointDamaged, match="ends at 5"):
        list(stretch.blocks(1000))
