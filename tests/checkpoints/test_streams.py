"""Pieces of any size become blocks of one size, as many as declared."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho.checkpoints.stored import HeldBytes
from stetho.checkpoints.streams import JoinedBytes, Skipped, StreamedBytes, even_blocks
from stetho.errors import CheckpointDamaged


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
