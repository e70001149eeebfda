"""Fields of messages, with their places in the file."""

from pathlib import Path

import pytest

from stetho.checkpoints.protobuf import READ_AHEAD, fields, signed, varint
from stetho.checkpoints.stored import HeldBytes, whole_file
from stetho.errors import CheckpointDamaged, CheckpointRefused
from tests.checkpoints.samples import message
from tests.checkpoints.samples import varint as written


def test_fields_come_in_order_with_their_values() -> None:
    content = message((1, "name"), (2, 300), (3, message((1, -5))), (7, b"\x01\x02\x03"))
    name, number, inner, packed = fields(HeldBytes(content))
    assert (name.text(), number.value, packed.integers()) == ("name", 300, [1, 2, 3])
    assert [field.integers() for field in inner.message()] == [[-5]]


def test_fixed_width_numbers_are_arrays(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x0d\x00\x00\x80\x3f\x11" + b"\0\0\0\0\0\0\xf0\x3f")
    one, two = fields(whole_file(tmp_path / "a"))
    assert (one.array("<f4").tolist(), two.array("<f8").tolist()) == ([1.0], [1.0])


def test_large_fields_are_left_where_they_are(tmp_path: Path) -> None:
    large = bytes(3 * READ_AHEAD)
    (tmp_path / "a").write_bytes(message((1, large), (2, "after")))
    first, second = fields(whole_file(tmp_path / "a"))
    assert (first.place.size, second.text()) == (len(large), "after")


@pytest.mark.parametrize("content", [b"\x0a\x05abc", b"\x0a", b"\x80", b"\x0b", b"\x00\x00", b"\x80" * 12])
def test_what_is_no_message_is_damage(content: bytes) -> None:
    with pytest.raises(CheckpointDamaged):
        list(fields(HeldBytes(content)))


def test_a_name_of_megabytes_is_refused() -> None:
    (field,) = fields(HeldBytes(message((1, bytes(1 << 21)))))
    with pytest.raises(CheckpointRefused, match="names are short"):
        field.text()


@pytest.mark.parametrize("number", [0, 1, 127, 128, (1 << 64) - 1])
def test_numbers_of_variable_length_come_back(number: int) -> None:
    assert varint(written(number), 0) == (number, len(written(number)))
    assert signed(number) == (number if number < 1 << 63 else number - (1 << 64))
