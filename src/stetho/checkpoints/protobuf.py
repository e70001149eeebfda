"""The wire format of protocol buffers, in a file that need not fit into memory.

Fields are given with the place of their bytes, so that large ones are never copied.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stetho.checkpoints.element_types import Array
from stetho.checkpoints.stored import Stretch
from stetho.errors import CheckpointDamaged, CheckpointRefused

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MOST_TEXT = 1 << 20
MOST_NUMBERS = 1 << 24
READ_AHEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message: its number, its kind on the wire, and its value or where that is."""

    number: int
    wire: int
    value: int
    place: Stretch

    def text(self) -> str:
        """The field as a text."""
        if self.place.size > MOST_TEXT:
            raise CheckpointRefused(f"{self.place.path}: a name of {self.place.size:,} bytes; names are short")
        return self.place.head(MOST_TEXT).decode("utf-8")

    def integers(self) -> list[int]:
        """The field as signed integers: one, or many that are packed."""
        if self.wire == VARINT:
            return [signed(self.value)]
        if self.place.size > MOST_NUMBERS:
            raise CheckpointRefused(f"{self.place.path}: {self.place.size:,} bytes of small numbers, which is too many")
        content, numbers, at = self.place.head(MOST_NUMBERS), [], 0
        while at < len(content):
            number, at = varint(content, at)
            numbers.append(signed(number))
        return numbers

    def array(self, dtype: str) -> Array:
        """The field as fixed-width numbers: one, or many that are packed."""
        return np.frombuffer(self.place.head(self.place.size), dtype)

    def message(self) -> Iterator["Field"]:
        """The field as a message of its own."""
        return fields(self.place)


def fields(place: Stretch) -> Iterator[Field]:
    """The fields of a message in the order of the file."""
    ahead, begin, at = b"", 0, 0
    while at < place.size:
        if at - begin + 20 > len(ahead):
            begin, ahead = at, place.part(at, min(READ_AHEAD, place.size - at)).head(READ_AHEAD)
        tag, after = varint(ahead, at - begin)
        number, wire = tag >> 3, tag & 7
        if number == 0:
            raise CheckpointDamaged(f"{place.path}: no field at {at:,} of a message; the file was cut off or changed")
        value, size = 0, {FIXED64: 8, FIXED32: 4}.get(wire, 0)
        if wire in (VARINT, BYTES):
            first = after
            value, after = varint(ahead, after)
            size = value if wire == BYTES else 0
            value = 0 if wire == BYTES else value
        elif wire not in (FIXED64, FIXED32):
            raise CheckpointDamaged(f"{place.path}: a field of unknown kind {wire} at {at:,} of a message")
        where = place.part(begin + after, size) if wire != VARINT else place.part(begin + first, after - first)
        yield Field(number, wire, value, where)
        at = begin + after + size


def varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of variable length and the place after it.

    >>> varint(bytes([0xAC, 0x02]), 0)
    (300, 2)
    """
    number = 0
    for place in range(10):
        if at + place >= len(content):
            break
        byte = content[at + place]
        number |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return number & (1 << 64) - 1, at + place + 1
    raise CheckpointDamaged("a number has no end; the file was cut off or changed")


def signed(number: int) -> int:
    """An unsigned 64-bit number as the signed one that has the same bits.

    >>> signed(3), signed((1 << 64) - 1)
    (3, -1)
    """
    return number - (1 << 64) if number >= 1 << 63 else number
