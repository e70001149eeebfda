"""PyTorch's distributed checkpoints: a folder with a pickled index, `.metadata`, and files of small archives.

A tensor that was spread over ranks lies in several chunks. Chunks that are slabs of the first axis are read one after
the other; others are put together in memory.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import Array, element_type
from stetho.checkpoints.nested import Opaque
from stetho.checkpoints.pickles.known import OpaqueKind
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.pickles.weights import unpickled
from stetho.checkpoints.readers import pytorch
from stetho.checkpoints.readers.sharded import inside
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.stored import Stored, whole_file
from stetho.checkpoints.streams import JoinedBytes, StreamedBytes
from stetho.errors import CheckpointDamaged

NAME = "PyTorch distributed"
INDEX = ".metadata"

Chunk = tuple[tuple[int, ...], LazyTensor]
"""Where a chunk begins in the whole tensor, and the chunk."""


def recognizes(path: Path, _head: bytes) -> bool:
    """A folder with an index and files of chunks."""
    return (path / INDEX).is_file()


def read(path: Path) -> Checkpoint:
    """All tensors of the index, whole, and the values beside them."""
    index = unpickled(PickleStream(whole_file(path / INDEX))).state
    checkpoint = Checkpoint(path, NAME)
    chunks: dict[str, list[Chunk]] = {}
    notes: dict[str, None] = {}
    for where, info in index["storage_data"].items():
        name, at = safe_name(where.state["fqn"]), where.state.get("offset")
        described = index["state_dict_metadata"][name]
        flat = _item(path, info.state)
        notes.update(dict.fromkeys(flat.notes()))
        if described.kind.endswith("TensorStorageMetadata"):
            begin = (0,) * len(_sizes(described.state["size"])) if at is None else _sizes(at)
            chunks.setdefault(name, []).append((begin, flat.tensors[""]))
        else:
            checkpoint.settings.update({_joined(name, key): value for key, value in flat.values.items()})
            checkpoint.tensors.update({_joined(name, key): tensor for key, tensor in flat.tensors.items()})
    for name, described in index["state_dict_metadata"].items():
        if name in chunks:
            checkpoint.tensors[name] = _whole(name, described.state, chunks[name])
    return Checkpoint(path, NAME, checkpoint.tensors, checkpoint.settings, tuple(notes))


def _item(folder: Path, info: dict[str, Any]) -> Any:
    if info.get("transform_descriptors"):
        raise CheckpointDamaged(f"{folder}: stored with extensions (compression, …), which are not read")
    file = whole_file(inside(folder, info["relative_path"]))
    return pytorch.read_flat(file.part(info["offset"], info["length"]))


def _whole(name: str, described: dict[str, Any], chunks: list[Chunk]) -> LazyTensor:
    shape = _sizes(described["size"])
    element = chunks[0][1].element
    expected = _dtype(described.get("properties"))
    if any(chunk.element != element for _, chunk in chunks) or expected not in (None, element.name):
        raise CheckpointDamaged(f"`{name}` has chunks of several types")
    chunks = sorted(chunks, key=lambda chunk: chunk[0])
    if sum(chunk.elements for _, chunk in chunks) != int(np.prod(shape, dtype=object)):
        raise CheckpointDamaged(f"`{name}` has chunks that do not add up to its shape {shape}; copy the whole folder")
    if len(chunks) == 1:
        only = chunks[0][1]
        return lazy_tensor(name, shape, element, only.stored, only.strides)
    size = sum(chunk.nbytes for _, chunk in chunks)
    if all(chunk.shape[1:] == shape[1:] and chunk.strides is None for _, chunk in chunks):
        pieces: Stored = JoinedBytes(tuple(chunk.stored for _, chunk in chunks))
        return lazy_tensor(name, shape, element, pieces)
    return lazy_tensor(name, shape, element, StreamedBytes(size, partial(_assembled, shape, chunks), name))


def _assembled(shape: tuple[int, ...], chunks: list[Chunk]) -> Iterator[Array]:
    element = chunks[0][1].element
    whole = np.zeros(shape, element.stored)
    for begin, chunk in chunks:
        stored = np.concatenate([block.copy() for block in chunk.blocks()]) if chunk.elements else np.empty(0)
        place = tuple(slice(first, first + size) for first, size in zip(begin, chunk.shape, strict=True))
        whole[place] = stored.reshape(chunk.shape)
    yield whole.reshape(-1).view(np.uint8)


def _sizes(sizes: Any) -> tuple[int, ...]:
    return tuple(sizes.arguments[0]) if isinstance(sizes, Opaque) else tuple(sizes)


def _dtype(properties: Any) -> str | None:
    state = properties.state if isinstance(properties, Opaque) else None
    kind = state.get("dtype") if isinstance(state, dict) else state[0] if isinstance(state, tuple) and state else None
    name = kind.kind.removeprefix("torch.") if isinstance(kind, OpaqueKind) else None
    try:
        return element_type(name).name if name else None
    except KeyError:
        return None


def _joined(name: str, key: str) -> str:
    return f"{name}.{key}" if key else name
