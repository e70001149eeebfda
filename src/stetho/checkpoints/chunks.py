"""A tensor that lies in several chunks: slabs of the first axis are read one after the other, others put together."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from stetho.checkpoints.contents import LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import Array
from stetho.checkpoints.refusing import shown
from stetho.checkpoints.stored import Stored
from stetho.checkpoints.streams import JoinedBytes, StreamedBytes
from stetho.errors import CheckpointDamaged

Chunk = tuple[tuple[int, ...], LazyTensor]
"""Where a chunk begins in the whole tensor, and the chunk."""


def in_chunks(name: str, shape: tuple[int, ...], chunks: Sequence[Chunk]) -> LazyTensor:
    """The whole tensor; CheckpointDamaged when the chunks do not fit together."""
    element = chunks[0][1].element
    if any(chunk.element != element for _, chunk in chunks):
        raise CheckpointDamaged(f"`{shown(name)}` has chunks of several types")
    chunks = sorted(chunks, key=lambda chunk: chunk[0])
    if sum(chunk.elements for _, chunk in chunks) != int(np.prod(shape, dtype=object)):
        raise CheckpointDamaged(
            f"`{shown(name)}` has chunks that do not add up to its shape {shape}; copy the whole checkpoint"
        )
    for begin, chunk in chunks:
        ends = [first + size for first, size in zip(begin, chunk.shape, strict=False)]
        if len(begin) != len(shape) or len(chunk.shape) != len(shape) or any(map(int.__gt__, ends, shape)):
            raise CheckpointDamaged(f"`{shown(name)}` has a chunk of {chunk.shape} at {begin}, outside of {shape}")
    if len(chunks) == 1:
        only = chunks[0][1]
        return lazy_tensor(name, shape, element, only.stored, only.strides)
    if all(chunk.shape[1:] == shape[1:] and chunk.strides is None for _, chunk in chunks):
        pieces: Stored = JoinedBytes(tuple(chunk.stored for _, chunk in chunks))
        return lazy_tensor(name, shape, element, pieces)
    size = sum(chunk.nbytes for _, chunk in chunks)
    return lazy_tensor(name, shape, element, StreamedBytes(size, partial(_assembled, shape, chunks), name))


def _assembled(shape: tuple[int, ...], chunks: Sequence[Chunk]) -> Iterator[Array]:
    element = chunks[0][1].element
    whole = np.zeros(shape, element.stored)
    for begin, chunk in chunks:
        stored = np.concatenate([block.copy() for block in chunk.blocks()]) if chunk.elements else np.empty(0)
        place = tuple(slice(first, first + size) for first, size in zip(begin, chunk.shape, strict=True))
        whole[place] = stored.reshape(chunk.shape)
    yield whole.reshape(-1).view(np.uint8)
