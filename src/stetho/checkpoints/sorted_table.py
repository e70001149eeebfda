"""TensorFlow's sorted tables: blocks of entries that share the beginnings of their keys, found by a block of blocks."""

import struct
from collections.abc import Iterator

from stetho.checkpoints.protobuf import varint
from stetho.checkpoints.stored import FileBytes
from stetho.errors import CheckpointDamaged

FOOTER, MAGIC = 48, struct.pack("<Q", 0xDB4775248B80FB57)
TRAILER = 5
READ_AHEAD = 1 << 16
MOST_KEY = READ_AHEAD // 2


def is_table(file: FileBytes) -> bool:
    """Whether a file ends like such a table."""
    return file.size >= FOOTER and file.part(file.size - len(MAGIC), len(MAGIC)).head(len(MAGIC)) == MAGIC


def entries(file: FileBytes) -> Iterator[tuple[bytes, FileBytes]]:
    """All keys in their order, and where their values lie."""
    if not is_table(file):
        raise CheckpointDamaged(f"{file.path}: does not end like the table of a TensorFlow checkpoint; copy it again")
    footer = file.part(file.size - FOOTER, FOOTER).head(FOOTER)
    _, at = varint(footer, 0)
    _, at = varint(footer, at)
    for _, handle in _block(file, footer[at:]):
        yield from _block(file, handle.head(FOOTER))


def _block(file: FileBytes, handle: bytes) -> Iterator[tuple[bytes, FileBytes]]:
    offset, at = varint(handle, 0)
    size, _ = varint(handle, at)
    if size < 4 or offset + size + TRAILER > file.size:
        raise CheckpointDamaged(f"{file.path}: a block lies outside of the file; copy it again")
    if file.part(offset + size, 1).head(1) != b"\0":
        raise CheckpointDamaged(f"{file.path}: a packed table, which is not read; save it with TensorFlow 2")
    block = file.part(offset, size)
    end = size - 4 - 4 * int.from_bytes(block.part(size - 4, 4).head(4), "little")
    key, place, begin, ahead = b"", 0, 0, b""
    while place < end:
        if place - begin + MOST_KEY > len(ahead) and begin + len(ahead) < size:
            begin, ahead = place, block.part(place, min(READ_AHEAD, size - place)).head(READ_AHEAD)
        shared, at = varint(ahead, place - begin)
        unshared, at = varint(ahead, at)
        length, at = varint(ahead, at)
        if shared > len(key) or unshared > MOST_KEY or begin + at + unshared + length > end:
            raise CheckpointDamaged(f"{file.path}: an entry contradicts its block; copy it again")
        key = key[:shared] + ahead[at : at + unshared]
        place = begin + at + unshared + length
        yield key, block.part(place - length, length)
