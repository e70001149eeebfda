"""Flax (JAX): `.msgpack` files, and the files `checkpoint_STEP` that older versions wrote."""

from pathlib import Path
from typing import Any

from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.msgpack import Extension, MessageReader
from stetho.checkpoints.nested import flatten
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.stored import FileBytes, HeldBytes, whole_file
from stetho.checkpoints.streams import JoinedBytes
from stetho.errors import CheckpointDamaged

NAME = "Flax"
ARRAY, SCALAR = 1, 3
CHUNKED = "__msgpack_chunked_array__"
MAP_OF_TEXTS = range(0x81, 0x90)


def recognizes(path: Path, head: bytes) -> bool:
    """By its name and a first byte that begins a dictionary."""
    is_named = path.suffix == ".msgpack" or path.name.startswith("checkpoint_")
    return is_named and len(head) > 1 and (head[0] in MAP_OF_TEXTS or head[0] in (0x80, 0xDE, 0xDF))


def read(path: Path) -> Checkpoint:
    """Arrays and values under the names of the nested dictionaries."""
    reader = MessageReader(whole_file(path))
    tree = reader.value()
    if reader.at != reader.content.size:
        raise CheckpointDamaged(f"{path}: goes on behind its end; it was changed")
    flat = flatten(tree, _tensor)
    return Checkpoint(path, NAME, flat.tensors, flat.values, flat.notes())


def _tensor(name: str, leaf: object) -> LazyTensor | None:
    if isinstance(leaf, Extension) and leaf.code in (ARRAY, SCALAR):
        shape, kind, content = MessageReader(leaf.place).value()
        return lazy_tensor(safe_name(name), tuple(shape), element_type(str(kind)), _stretch(content))
    if isinstance(leaf, dict) and leaf.get(CHUNKED) is True:
        return _joined(name, leaf)
    return None


def _joined(name: str, leaf: dict[Any, Any]) -> LazyTensor:
    """An array of more than a gigabyte, which is split into flat pieces."""
    pieces = [_tensor(name, leaf["chunks"][str(number)]) for number in range(len(leaf["chunks"]))]
    known = [piece for piece in pieces if piece is not None]
    if len(known) != len(pieces) or not known:
        raise CheckpointDamaged(f"`{name}` has pieces that are no arrays")
    shape = tuple(leaf["shape"][str(axis)] for axis in range(len(leaf["shape"])))
    return lazy_tensor(safe_name(name), shape, known[0].element, JoinedBytes(tuple(piece.stored for piece in known)))


def _stretch(content: object) -> FileBytes | HeldBytes:
    if not isinstance(content, FileBytes | HeldBytes):
        raise CheckpointDamaged("an array without bytes")
    return content
