"""TensorFlow's sorted tables."""

from pathlib import Path

import pytest

from stetho.checkpoints.sorted_table import READ_AHEAD, entries, is_table
from stetho.checkpoints.stored import whole_file
from stetho.errors import CheckpointDamaged
from tests.checkpoints.samples import sorted_table


def test_values_of_any_size_are_found_without_being_read(tmp_path: Path) -> None:
    given = {"": b"x", "large": bytes(3 * READ_AHEAD), **{f"name {number:05d}": b"y" * 30 for number in range(5000)}}
    (tmp_path / "table").write_bytes(sorted_table(given))
    found = {key.decode(): place.head(place.size) for key, place in entries(whole_file(tmp_path / "table"))}
    assert found == given


def test_what_ends_otherwise_is_none(tmp_path: Path) -> None:
    (tmp_path / "table").write_bytes(sorted_table({"a": b"b"})[:-1])
    assert not is_table(whole_file(tmp_path / "table"))
    with pytest.raises(CheckpointDamaged, match="does not end like"):
        list(entries(whole_file(tmp_path / "table")))
