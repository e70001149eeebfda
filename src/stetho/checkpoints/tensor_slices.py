"""Shapes, types and slices of tensors as TensorFlow writes them down."""

from collections.abc import Iterable, Sequence

from stetho.checkpoints.protobuf import Field, signed

# fmt: off
TYPES = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 8: "complex64", 9: "int64",
    10: "bool", 11: "int8", 12: "uint8", 13: "int32", 14: "bfloat16", 15: "int16", 16: "uint16", 17: "uint16",
    18: "complex128", 19: "float16", 22: "uint32", 23: "uint64", 24: "float8_e5m2", 25: "float8_e4m3fn",
}
# fmt: on
HEADERS = (0x80, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE, 0xFF, 0xFF, 0xFF)
FULL = -1
"""The length of a slice that goes through a whole axis."""

Slice = tuple[tuple[int, int], ...]
"""Where a slice begins along each axis, and its length there."""


def shape_of(fields: Iterable[Field]) -> tuple[int, ...]:
    """The sizes in a message that describes a shape."""
    axes = [list(axis.message()) for axis in fields if axis.number == 2]
    return tuple(next((signed(part.value) for part in axis if part.number == 1), 0) for axis in axes)


def slice_of(fields: Iterable[Field]) -> Slice:
    """The extents in a message that describes a slice."""
    axes = [{part.number: signed(part.value) for part in axis.message()} for axis in fields if axis.number == 1]
    return tuple((axis.get(1, 0), axis.get(2, FULL)) for axis in axes)


def begin_of(piece: Slice) -> tuple[int, ...]:
    """Where a slice begins."""
    return tuple(start for start, _ in piece)


def shape_within(piece: Slice, shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of a slice of a tensor.

    >>> shape_within(((2, 3), (0, FULL)), (10, 4))
    (3, 4)
    """
    return tuple(size if length == FULL else length for (_, length), size in zip(piece, shape, strict=False))


def slice_key(name: str, piece: Slice) -> bytes:
    r"""The key under which a slice of a variable is stored: numbers and texts whose bytes sort as they do.

    >>> slice_key("w", ((0, 2), (0, FULL)))
    b'\x00w\x00\x01\x01\x02\x80\x82\x80\x7f'
    """
    text = name.encode().replace(b"\xff", b"\xff\x00").replace(b"\0", b"\0\xff")
    extents = b"".join(_ordered(start) + _ordered(length) for start, length in piece)
    return b"\0" + text + b"\0\1" + bytes([1, len(piece)]) + extents


def _ordered(number: int) -> bytes:
    """A signed number in bytes that sort as it does; the first bits tell how many bytes there are."""
    size = (number if number >= 0 else ~number).bit_length() // 7 + 1
    plain = number.to_bytes(size, "big", signed=True) if size < 9 else number.to_bytes(10, "big", signed=True)[-size:]
    second = {9: 0x80, 10: 0xC0}.get(size, 0)
    return bytes([plain[0] ^ HEADERS[size - 1]]) + (bytes([plain[1] ^ second]) + plain[2:] if size > 1 else b"")
