"""From a pickled tree to the tensors of a checkpoint, given where the storages are."""

from collections.abc import Callable
from typing import Any

from stetho.checkpoints.contents import LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import ElementType, element_type
from stetho.checkpoints.nested import Flat, flatten
from stetho.checkpoints.pickles.known import Storage, StorageKind, StoredArray, StoredTensor, find
from stetho.checkpoints.pickles.machine import Machine
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.stored import FileBytes, HeldBytes, Stored
from stetho.errors import CheckpointDamaged

Place = Callable[[Storage], Stored]
"""Gives for a storage where its bytes are."""


def unpickled(stream: PickleStream, met: dict[str, Storage] | None = None) -> Any:
    """The object of the next pickle in a stream, with storages as references; `met` is told of all of these."""

    def fetch(reference: Any) -> Storage:
        storage = storage_of(reference)
        if met is not None:
            met[storage.key] = storage
        return storage

    return Machine(stream, find, fetch).run()


def storage_of(reference: Any) -> Storage:
    """The storage that a persistent id names: ("storage", class, key, device, elements, …)."""
    match reference:
        case ("storage", StorageKind(element), key, _, int(elements), *_):
            return Storage(str(key), element, elements)
    raise CheckpointDamaged("a pickle refers to something that is no torch storage")


def weights(tree: Any, place: Place, *, big_endian: bool = False) -> Flat:
    """Tensors and values of a tree."""

    def tensor_of(name: str, leaf: object) -> LazyTensor | None:
        if isinstance(leaf, StoredTensor):
            return _viewed(safe_name(name), leaf, place(leaf.storage), big_endian)
        if isinstance(leaf, StoredArray) and leaf.element is not None:
            return _held(safe_name(name), leaf, leaf.element)
        return None

    return flatten(tree, tensor_of)


def _viewed(name: str, tensor: StoredTensor, storage: Stored, big_endian: bool) -> LazyTensor:
    element = element_type(tensor.element.name, big_endian=big_endian)
    width = element.stored.itemsize
    numbers = (tensor.offset, *tensor.shape, *tensor.strides)
    if any(type(number) is not int or number < 0 for number in numbers) or len(tensor.shape) != len(tensor.strides):
        raise CheckpointDamaged(f"`{name}` has a shape, strides or an offset that are no counts")
    used = 0
    if all(tensor.shape):
        used = 1 + sum((size - 1) * step for size, step in zip(tensor.shape, tensor.strides, strict=True))
    if (tensor.offset + used) * width > storage.size:
        raise CheckpointDamaged(
            f"`{name}` reaches to element {tensor.offset + used:,} of a storage of {storage.size // width:,}; "
            "the file was cut off or changed: copy it again"
        )
    part = part_of(storage, tensor.offset * width, used * width)
    return lazy_tensor(name, tensor.shape, element, part, tensor.strides)


def part_of(stored: Stored, offset: int, size: int) -> Stored:
    """A stretch of stored bytes."""
    if isinstance(stored, FileBytes | HeldBytes):
        return stored.part(offset, size)
    if (offset, size) == (0, stored.size):
        return stored
    content = b"".join(block.tobytes() for block in stored.blocks(1 << 20))
    return HeldBytes(content[offset : offset + size])


def _held(name: str, array: StoredArray, element: ElementType) -> LazyTensor:
    content = HeldBytes(array.content) if isinstance(array.content, bytes) else array.content or HeldBytes(b"")
    shape = tuple(array.shape)
    strides = None
    if array.is_column_major:
        steps = [1]
        for size in shape[:-1]:
            steps.append(steps[-1] * size)
        strides = tuple(steps[: len(shape)])
    return lazy_tensor(name, shape, element, content, strides)
