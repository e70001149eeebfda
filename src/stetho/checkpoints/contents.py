"""What a checkpoint holds, whatever its format: tensors that are read when asked for, plain values, and notes."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stetho.checkpoints.element_types import Array, ElementType
from stetho.checkpoints.refusing import damage_named, shown
from stetho.checkpoints.stored import Stored
from stetho.errors import CheckpointDamaged, CheckpointRefused

BLOCK = 1 << 17
"""Elements of a block: with its temporaries it stays in the cache of a core."""


Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class LazyTensor:
    """A tensor that is still in its file.

    >>> from stetho.checkpoints.element_types import element_type
    >>> from stetho.checkpoints.stored import HeldBytes
    >>> tensor = LazyTensor("w", (2, 2), element_type("bfloat16"), HeldBytes(bytes([0, 0, 128, 63] * 2)))
    >>> tensor.dtype, tensor.elements
    ('bfloat16', 4)
    >>> tensor.read()
    array([[0., 1.],
           [0., 1.]], dtype=float32)
    """

    name: str
    shape: tuple[int, ...]
    element: ElementType
    stored: Stored
    strides: tuple[int, ...] | None = None
    """Elements from one place to the next along each axis; None when the elements lie in the order of the shape."""

    @property
    def dtype(self) -> str:
        """The name of the element type: float32, bfloat16, …"""
        return self.element.name

    @property
    def elements(self) -> int:
        """How many elements the tensor has."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """How many bytes the elements take."""
        return self.elements * self.element.stored.itemsize

    def blocks(self, most: int = BLOCK) -> Iterator[Array]:
        """The elements as they are stored, flat and in the order of the shape, at most so many at a time.

        A block may be written over by the next one. `element.decoded` gives the numbers.
        """
        with damage_named(self.name):
            if self.strides is not None:
                flat = self._laid_out().reshape(-1)
                yield from (flat[first : first + most] for first in range(0, flat.size, most))
                return
            for block in self.stored.blocks(most * self.element.stored.itemsize):
                yield block.view(self.element.stored)

    def read(self) -> Array:
        """The whole tensor as a numpy array; bfloat16 and eight-bit floats as float32."""
        if self.strides is not None:
            return self.element.decoded(self._laid_out())
        with damage_named(self.name):
            return self.element.decoded(self._storage()).reshape(self.shape)

    def _storage(self) -> Array:
        whole = np.empty(self.stored.size, np.uint8)
        first = 0
        for block in self.stored.blocks(1 << 20):
            whole[first : first + block.size] = block
            first += block.size
        return whole[: whole.size - whole.size % self.element.stored.itemsize].view(self.element.stored)

    def _laid_out(self) -> Array:
        storage = self._storage()
        steps = [stride * self.element.stored.itemsize for stride in self.strides or ()]
        return np.ascontiguousarray(np.lib.stride_tricks.as_strided(storage, self.shape, steps, writeable=False))


@dataclass(frozen=True, slots=True)
class Checkpoint(Mapping[str, LazyTensor]):
    """A mapping from names to tensors, in the order of the file.

    >>> from stetho.checkpoints.contents import Checkpoint
    >>> Checkpoint(Path("empty.npz"), "npz").tensors
    {}
    """

    path: Path
    format: str
    tensors: dict[str, LazyTensor] = field(default_factory=dict)
    settings: dict[str, Value] = field(default_factory=dict)
    """Numbers and texts beside the tensors: an epoch, a learning rate."""
    notes: tuple[str, ...] = ()
    """What was not read, and why."""

    def __getitem__(self, name: str) -> LazyTensor:
        return self.tensors[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)

    @property
    def elements(self) -> int:
        """How many elements all tensors have together."""
        return sum(tensor.elements for tensor in self.tensors.values())

    @property
    def nbytes(self) -> int:
        """How many bytes all tensors take."""
        return sum(tensor.nbytes for tensor in self.tensors.values())


def lazy_tensor(
    name: str, shape: tuple[int, ...], element: ElementType, stored: Stored, strides: tuple[int, ...] | None = None
) -> LazyTensor:
    """A tensor whose shape, strides and bytes fit together; CheckpointDamaged when they do not."""
    if any(not isinstance(size, int) or size < 0 for size in shape) or len(shape) > 64:
        raise CheckpointDamaged(
            f"`{shown(name)}` has the shape {shown(str(shape))}; sizes are counts, at most 64 of them"
        )
    elements, there = math.prod(shape), stored.size // element.stored.itemsize
    if strides is not None and _in_order(shape, strides) and elements == there:
        strides = None
    if strides is None:
        needed, fits = elements, elements * element.stored.itemsize == stored.size
    else:
        if len(strides) != len(shape) or any(not isinstance(stride, int) or stride < 0 for stride in strides):
            raise CheckpointDamaged(f"`{shown(name)}` has the strides {shown(str(strides))} for the shape {shape}")
        needed = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True)) if elements else 0
        fits = needed <= there
        if elements > there and elements > 1 << 24:
            raise CheckpointRefused(
                f"`{shown(name)}` unfolds {there:,} stored elements to {elements:,}; "
                "a file that asks for this may be made to fill the memory"
            )
    if not fits:
        raise CheckpointDamaged(
            f"`{shown(name)}` needs {needed:,} elements of {element.name} and {stored.size:,} bytes are there; "
            "the file was cut off or changed: copy it again"
        )
    return LazyTensor(name, shape, element, stored, strides)


def _in_order(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    expected = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=False):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return len(shape) == len(strides)
