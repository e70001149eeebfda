"""numpy's `.npz`: a zip archive of `.npy` files, packed or not."""

import math
from pathlib import Path

from stetho.checkpoints.archive import MAGIC, Archive
from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import of_numpy
from stetho.checkpoints.readers.npy import LONGEST_HEADER, column_major, read_array, read_header
from stetho.checkpoints.refusing import damage_named, safe_name
from stetho.checkpoints.stored import FileBytes, Stored, whole_file
from stetho.checkpoints.streams import Skipped

NAME = "npz"


def recognizes(path: Path, head: bytes) -> bool:
    """A zip archive with nothing but arrays in it."""
    try:
        members = Archive.open(whole_file(path)).members if head.startswith((MAGIC, b"PK\x05\x06")) else {}
        return len(members) > 0 and all(name.endswith(".npy") for name in members)
    except Exception:
        return path.suffix == ".npz"


def read(path: Path) -> Checkpoint:
    """A tensor for each member."""
    archive = Archive.open(whole_file(path))
    tensors = {}
    for member in archive.members:
        name = safe_name(member.removesuffix(".npy"))
        with damage_named(f"{path}: {member}"):
            tensors[name] = _tensor(name, archive.stored(member))
    return Checkpoint(path, NAME, tensors)


def _tensor(name: str, stored: Stored) -> LazyTensor:
    if isinstance(stored, FileBytes):
        return read_array(name, stored)
    head = next(stored.blocks(LONGEST_HEADER)).tobytes()
    shape, is_column_major, dtype, begin = read_header(head)
    size = math.prod(shape) * dtype.itemsize
    return lazy_tensor(name, shape, of_numpy(dtype), Skipped(stored, begin, size), column_major(shape, is_column_major))
