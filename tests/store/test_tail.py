"""A tail is readable up to its last complete batch, wherever it ends."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from stetho.store.columns import from_numpy
from stetho.store.tail import TailWriter, read_tail

SCHEMA = pa.schema([("step", pa.int32())])


def batch(*steps: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([from_numpy(np.array(steps, np.int32), pa.int32())], schema=SCHEMA)


def written(folder: Path) -> list[int]:
    """Three batches; the sizes of the file after each of them."""
    tail = TailWriter(folder, SCHEMA, first_row=40)
    sizes = []
    for steps in ((1, 2, 3), (4,), (5, 6)):
        tail.append(batch(*steps))
        sizes.append((folder / "tail.arrows").stat().st_size)
    tail.close()
    assert (tail.rows, len(tail.batches)) == (6, 3)
    return sizes


def test_a_tail_cut_at_any_byte_ends_at_its_last_complete_batch(tmp_path: Path) -> None:
    sizes = written(tmp_path)
    file = tmp_path / "tail.arrows"
    content = file.read_bytes()
    for size in range(len(content) + 1):
        file.write_bytes(content[:size])
        tail = read_tail(tmp_path)
        steps = [step for part in tail.batches for step in part.column("step").to_pylist()] if tail else []
        assert steps == [1, 2, 3, 4, 5, 6][: [0, 3, 4, 6][sum(size >= end for end in sizes)]]


def test_a_tail_knows_the_number_of_its_first_row(tmp_path: Path) -> None:
    written(tmp_path)
    tail = read_tail(tmp_path)
    assert tail
    assert (tail.first_row, tail.rows) == (40, 6)


def test_a_spoiled_batch_ends_the_tail_before_it(tmp_path: Path) -> None:
    sizes = written(tmp_path)
    file = tmp_path / "tail.arrows"
    content = bytearray(file.read_bytes())
    content[sizes[0] : sizes[0] + 16] = b"x" * 16
    file.write_bytes(content)
    tail = read_tail(tmp_path)
    assert tail
    assert tail.rows == 3


def test_other_programs_read_a_tail_as_an_arrow_stream(tmp_path: Path) -> None:
    written(tmp_path)
    table = pa.ipc.open_stream((tmp_path / "tail.arrows").read_bytes()).read_all()
    assert table["step"].to_pylist() == [1, 2, 3, 4, 5, 6]


def test_a_batch_that_is_given_again_right_away_is_written_once(tmp_path: Path) -> None:
    tail = TailWriter(tmp_path, SCHEMA, first_row=0)
    for part in (batch(1), same := batch(2), same):
        tail.append(part)
    tail.close()
    following = TailWriter(tmp_path / "next", SCHEMA, first_row=2, after=tail)
    following.append(same)
    following.close()
    assert (tail.rows, following.rows) == (2, 0)


def test_no_tail_and_no_folder_is_none(tmp_path: Path) -> None:
    assert read_tail(tmp_path) is None
    assert read_tail(tmp_path / "nowhere") is None
