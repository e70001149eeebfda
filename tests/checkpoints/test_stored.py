"""Bytes come in whole, in blocks of one size, and never from outside of their stretch."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho.checkpoints.stored import (
    FileWindow,
    HeldBytes,
    JoinedBytes,
    Skipped,
    StreamedBytes,
    even_blocks,
    whole_file,
)
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


@given(st.lists(st.binary(max_size=9)), st.integers(1, 7))
def test_pieces_of_any_size_become_even_blocks(pieces: list[bytes], most: int) -> None:
    blocks = [block.tobytes() for block in even_blocks((np.frombuffer(one, np.uint8) for one in pieces), most)]
    assert b"".join(blocks) == b"".join(pieces)
    assert all(len(block) == most for block in blocks[:-1])


def test_joined_stretches_have_no_seams() -> None:
    joined = JoinedBytes((HeldBytes(b"abc"), HeldBytes(b"de")))
    assert (joined.size, [block.tobytes() for block in joined.blocks(4)]) == (5, [b"abcd", b"e"])


@pytest.mark.parametrize("there", [b"", b"abc", b"abcde"])
def test_a_stream_of_another_length_than_declared_is_damage(there: bytes) -> None:
    stream = StreamedBytes(4, lambda: iter([np.frombuffer(there, np.uint8)]), "w")
    with pytest.raises(CheckpointDamaged, match="4 bytes are declared"):
        list(stream.blocks(2))


def test_what_is_behind_a_header_is_reached_by_skipping_it() -> None:
    assert b"".join(block.tobytes() for block in Skipped(HeldBytes(b"headBODY"), 4, 4).blocks(3)) == b"BODY"
    with pytest.raises(CheckpointDamaged, match="where 9 are expected"):
        list(Skipped(HeldBytes(b"headBODY"), 4, 5).blocks(3))


def test_a_window_is_a_file_of_its_own(file: Path) -> None:
    with FileWindow(whole_file(file).part(10, 5)) as window:
        assert window.read() == bytes(range(10, 15))
        assert (window.seek(-2, io.SEEK_END), window.read(9), window.read()) == (3, bytes([13, 14]), b"")
        with pytest.raises(ValueError, match="before the beginning"):
            window.seek(-1)
