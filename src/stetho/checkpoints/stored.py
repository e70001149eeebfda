"""Where the bytes of a tensor lie, and how they come in: block by block, from a file, an archive or memory.

Files are read and not mapped into memory: a mapped file that is cut off while it is read ends the process, and its
pages count as memory in use.
"""

import io
import os
from collections.abc import Callable, Iterator, Sequence
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


@dataclass(frozen=True, slots=True)
class JoinedBytes:
    """Several stretches, one after the other."""

    pieces: Sequence[Stored]

    @property
    def size(self) -> int:
        """How many bytes there are in all."""
        return sum(piece.size for piece in self.pieces)

    def blocks(self, most: int) -> Iterator[Array]:
        """Blocks of the same size, also across the seams."""
        return even_blocks((block for piece in self.pieces for block in piece.blocks(most)), most)


@dataclass(frozen=True, slots=True, eq=False)
class StreamedBytes:
    """Bytes that a library or a decompressor hands out from the beginning on, in pieces of any size."""

    size: int
    open: Callable[[], Iterator[Array]]
    name: str

    def blocks(self, most: int) -> Iterator[Array]:
        """The pieces, cut and joined to blocks; CheckpointDamaged when they are more or fewer than declared."""
        seen = 0
        for block in even_blocks(self.open(), most):
            seen += block.size
            if seen > self.size:
                break
            yield block
        if seen != self.size:
            raise CheckpointDamaged(
                f"{self.name}: {self.size:,} bytes are declared and {'more' if seen > self.size else f'{seen:,}'} are "
                "there; the file was cut off or changed: copy it again"
            )


@dataclass(frozen=True, slots=True)
class Skipped:
    """The bytes of a stream behind its first ones, as after the header of a packed member."""

    stream: Stored
    begin: int
    size: int

    def blocks(self, most: int) -> Iterator[Array]:
        """Blocks of the same size; CheckpointDamaged when the stream is shorter or longer."""
        if self.begin + self.size != self.stream.size:
            raise CheckpointDamaged(f"{self.stream.size:,} bytes where {self.begin + self.size:,} are expected")
        return even_blocks(self._rest(), most)

    def _rest(self) -> Iterator[Array]:
        left = self.begin
        for block in self.stream.blocks(1 << 20):
            yield block[min(left, block.size) :]
            left -= min(left, block.size)


def whole_file(path: Path) -> FileBytes:
    """All bytes of a file."""
    return FileBytes(path, 0, path.stat().st_size)


def even_blocks(pieces: Iterator[Array], most: int) -> Iterator[Array]:
    """Pieces of any size as blocks of one size.

    >>> [block.tolist() for block in even_blocks(iter([np.zeros(3, np.uint8), np.ones(2, np.uint8)]), 2)]
    [[0, 0], [0, 1], [1]]
    """
    left = np.empty(most, np.uint8)
    held = 0
    for piece in pieces:
        at = 0
        while at < piece.size:
            if held == 0 and piece.size - at >= most:
                yield piece[at : at + most]
                at += most
                continue
            taken = min(most - held, piece.size - at)
            left[held : held + taken] = piece[at : at + taken]
            at, held = at + taken, held + taken
            if held == most:
                yield left
                held = 0
    if held:
        yield left[:held]


class FileWindow(io.RawIOBase):
    """A stretch of a file as a file of its own, for libraries that want one."""

    def __init__(self, stretch: FileBytes) -> None:
        self._stretch = stretch
        self._at = 0
        self._descriptor = os.open(stretch.path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """Where the next byte comes from."""
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go somewhere else."""
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._stretch.size}[whence]
        if origin + offset < 0:
            raise ValueError("a place before the beginning of the file")
        self._at = origin + offset
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read as much as there is and fits."""
        wanted = memoryview(buffer).cast("B")[: max(0, self._stretch.size - self._at)]
        count = os.preadv(self._descriptor, [wanted], self._stretch.offset + self._at) if wanted else 0
        self._at += count
        return count

    def close(self) -> None:
        """Give the file back."""
        if not self.closed:
            os.close(self._descriptor)
        super().close()


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
