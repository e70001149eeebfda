"""Bytes that only come from the beginning on, or from several places, as blocks of one size."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stetho.checkpoints.element_types import Array
from stetho.checkpoints.stored import Stored
from stetho.errors import CheckpointDamaged


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
