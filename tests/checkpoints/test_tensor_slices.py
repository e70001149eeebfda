"""Keys of slices, as TensorFlow writes them."""

import pytest

from stetho.checkpoints.tensor_slices import FULL, slice_key


@pytest.mark.parametrize(
    ("start", "extent"),
    [(63, b"\xbf"), (64, b"\xc0\x40"), (8191, b"\xdf\xff"), (8192, b"\xe0\x20\x00"), (134, b"\xc0\x86")],
)
def test_numbers_take_as_many_bytes_as_they_need(start: int, extent: bytes) -> None:
    assert slice_key("w", ((start, FULL),)) == b"\0w\0\1\1\1" + extent + b"\x7f"


def test_keys_sort_as_their_slices_do() -> None:
    starts = [0, 1, 63, 64, 100, 8191, 8192, 1 << 20, 1 << 34, 1 << 48, 1 << 56, 1 << 62]
    keys = [slice_key("w", ((start, 1),)) for start in starts]
    assert keys == sorted(keys)


def test_names_may_hold_any_byte() -> None:
    assert slice_key("a\0b", ()) == b"\0a\0\xffb\0\1\1\0"
