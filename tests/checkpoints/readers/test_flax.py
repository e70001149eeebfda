"""Flax's files, also with arrays in pieces."""

from pathlib import Path

import numpy as np
import pytest

from stetho.checkpoints.opening import open_checkpoint
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import packed_array, write_flax


def test_files_of_older_versions_have_no_ending(tmp_path: Path) -> None:
    write_flax(tmp_path).rename(tmp_path / "checkpoint_100")
    assert open_checkpoint(tmp_path / "checkpoint_100").format == "Flax"


def test_an_array_in_pieces_is_one_tensor(tmp_path: Path) -> None:
    pieces = [packed_array(np.arange(first, first + 2, dtype=np.float32)) for first in (0, 2)]
    chunks = b"\xa6chunks\x82\xa10" + pieces[0] + b"\xa11" + pieces[1]
    head = b"\x81\xa1w\x83" + bytes([0xB9]) + b"__msgpack_chunked_array__" + b"\xc3"
    (tmp_path / "a.msgpack").write_bytes(head + b"\xa5shape\x82\xa10\x02\xa11\x02" + chunks)
    assert open_checkpoint(tmp_path / "a.msgpack")["w"].read().tolist() == [[0, 1], [2, 3]]


def test_numbers_beside_the_arrays_are_settings(tmp_path: Path) -> None:
    (tmp_path / "a.msgpack").write_bytes(b"\x81\xa4step\x07")
    assert open_checkpoint(tmp_path / "a.msgpack").settings == {"step": 7}


@pytest.mark.parametrize("more", [b"x", b"\x00"])
def test_a_file_that_goes_on_behind_its_end_is_damage(tmp_path: Path, more: bytes) -> None:
    path = write_flax(tmp_path)
    path.write_bytes(path.read_bytes() + more)
    with pytest.raises(CheckpointDamaged, match="behind its end"):
        open_checkpoint(path)
