"""numpy's `.npy`: one array."""

import math
from pathlib import Path

import numpy as np

from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import of_numpy
from stetho.checkpoints.stored import Stretch, whole_file
from stetho.errors import CheckpointDamaged

NAME = "npy"
MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 1 << 16


def recognizes(_path: Path, head: bytes) -> bool:
    """By its magic bytes."""
    return head.startswith(MAGIC)


def read(path: Path) -> Checkpoint:
    """One tensor with the name of the file."""
    tensor = read_array(path.stem, whole_file(path))
    return Checkpoint(path, NAME, {tensor.name: tensor})


def read_array(name: str, file: Stretch) -> LazyTensor:
    """The array of a file, or of a member of an archive."""
    shape, is_column_major, dtype, begin = read_header(file.head(LONGEST_HEADER))
    size = math.prod(shape) * dtype.itemsize
    return lazy_tensor(name, shape, of_numpy(dtype), file.part(begin, size), column_major(shape, is_column_major))


def read_header(head: bytes) -> tuple[tuple[int, ...], bool, "np.dtype[np.generic]", int]:
    """Shape, order, type and the place of the first element."""
    import io

    stream = io.BytesIO(head)
    version = np.lib.format.read_magic(stream)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in readers:
        raise CheckpointDamaged(f"version {version} of the npy format is not read")
    shape, is_column_major, dtype = readers[version](stream, max_header_size=LONGEST_HEADER)
    if dtype.hasobject:
        raise CheckpointDamaged("an array of Python objects, which is a pickle; weights are numbers")
    if any(size < 0 for size in shape):
        raise CheckpointDamaged(f"the shape {shape} has negative sizes")
    return shape, is_column_major, dtype, stream.tell()


def column_major(shape: tuple[int, ...], is_column_major: bool) -> tuple[int, ...] | None:
    """The strides of an array that lies column by column; None for row by row.

    >>> column_major((2, 3, 4), True)
    (1, 2, 6)
    """
    return tuple(math.prod(shape[:axis]) for axis in range(len(shape))) if is_column_major else None
