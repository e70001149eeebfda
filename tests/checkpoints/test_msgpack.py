"""MessagePack values of every kind, and what is none."""

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stetho.checkpoints.msgpack import Extension, MessageReader
from stetho.checkpoints.refusing import damage_named
from stetho.checkpoints.stored import HeldBytes
from stetho.errors import CheckpointDamaged, CheckpointError, CheckpointRefused


def value(content: bytes) -> Any:
    with damage_named("message"):
        return MessageReader(HeldBytes(content)).value()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\x07", 7),
        (b"\xff", -1),
        (b"\xc0", None),
        (b"\xc3", True),
        (b"\xcb" + struct.pack(">d", 0.1), 0.1),
        (b"\xcd\x01\x00", 256),
        (b"\xd0\x80", -128),
        (b"\xa3abc", "abc"),
        (b"\xd9\x03abc", "abc"),
        (b"\x92\x01\x02", [1, 2]),
        (b"\xdc\x00\x01\x05", [5]),
        (b"\x81\xa1a\x90", {"a": []}),
        (b"\xde\x00\x01\xa1a\x01", {"a": 1}),
    ],
)
def test_values_come_back(content: bytes, expected: object) -> None:
    assert value(content) == expected


def test_bytes_and_extensions_are_places() -> None:
    assert value(b"\xc4\x02ab").head(2) == b"ab"
    for content in (b"\xd5\x07ab", b"\xc7\x02\x07ab"):
        found = value(content)
        assert isinstance(found, Extension)
        assert (found.code, found.place.head(2)) == (7, b"ab")


@pytest.mark.parametrize(
    "content", [b"", b"\xc1", b"\xa3ab", b"\xc6\xff\xff\xff\xff", b"\x81\x90\x01", b"\xdd\xff\xff\xff\xff"]
)
def test_what_is_no_value_is_damage(content: bytes) -> None:
    with pytest.raises(CheckpointDamaged):
        value(content)


def test_lists_in_lists_without_end_are_refused() -> None:
    with pytest.raises(CheckpointRefused, match="nested more than"):
        value(b"\x91" * 10_000)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=40))
def test_any_bytes_give_a_value_or_an_error_of_ours(content: bytes) -> None:
    try:
        value(content)
    except CheckpointError as error:
        assert "\n" not in str(error)  # noqa: PT017 - no error is fine too
