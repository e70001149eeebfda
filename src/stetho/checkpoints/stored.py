"""Where the bytes of a tensor lie, and how they come in: block by block, from a file, an archive or memory.

Files are read and not mapped into memory: a mapped file that is cut off while it is read ends the process, and its
pages count as memory in use.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from stetho.checkpoints.element_types import Array
from stetho.errors import CheckpointDamaged


class Stored(Protocol):
    """The bytes of a tensor, wherever they are."""

    @property
    def size(self) -> int:
        """How many there are."""

    def blocks(self, most: int) -> Iterator[Array]:
        """All bytes in order, `most` at a time, only the last block shorter.

        A block may be written over by the next one: whoever wants to keep it makes a copy.
        """


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A stretch of a file."""

    path: Path
    offset: int
    size: int

    def blocks(self, most: int) -> Iterator[Array]:
        """Read into one buffer, again and again."""
        buffer = np.empty(min(most, self.size), np.uint8)
        with opened(self.path) as descriptor:
            for done in range(0, self.size, most):
                block = buffer[: min(most, self.size - done)]
                _read_fully(descriptor, block, self.offset + done, self.path)
                yield block

    def part(self, offset: int, size: int) -> "FileBytes":
        """A stretch of this stretch; CheckpointDamaged when it does not lie inside."""
        _demand_inside(self, offset, size)
        return FileBytes(self.path, self.offset + offset, size)

    def head(self, most: int) -> bytes:
        """The first bytes, at most so many."""
        part = self.part(0, min(most, self.size))
        return b"".join(block.tobytes() for block in part.blocks(max(most, 1)))


@dataclass(frozen=True, slots=True)
class HeldBytes:
    """Bytes in memory, and the file they came from."""

    held: bytes
    path: Path = Path()

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.held)

    def blocks(self, most: int) -> Iterator[Array]:
        """Views of what is held."""
        array = np.frombuffer(self.held, np.uint8)
        yield from (array[first : first + most] for first in range(0, self.size, most))

    def part(self, offset: int, size: int) -> "HeldBytes":
        """A stretch of them; CheckpointDamaged when it does not lie inside."""
        _demand_inside(self, offset, size)
        return HeldBytes(self.held[offset : offset + size], self.path)

    def head(self, most: int) -> bytes:
        """The first bytes, at most so many."""
        return self.held[:most]


Stretch = FileBytes | HeldBytes
"""Bytes of which any part can be had at once."""


def whole_file(path: Path) -> FileBytes:
    """All bytes of a file."""
    return FileBytes(path, 0, path.stat().st_size)


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """The descriptor of a file, for a while."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _demand_inside(stretch: Stretch, offset: int, size: int) -> None:
    if offset < 0 or size < 0 or offset + size > stretch.size:
        raise CheckpointDamaged(
            f"{stretch.path}: {size:,} bytes are expected at {offset:,}, where {stretch.size:,} are in all; "
            "the file was cut off or changed: copy it again"
        )


def _read_fully(descriptor: int, block: Array, offset: int, path: Path) -> None:
    done = 0
    while done < block.size:
        count = os.preadv(descriptor, [block[done:].data], offset + done)
        if count == 0:
            raise CheckpointDamaged(f"{path}: ends at {offset + done:,} in the middle of a tensor; copy it again")
        done += count
