"""NNabla: `.nnp`, a zip archive with the parameters as protocol buffers or HDF5, and bare `.protobuf` files."""

from pathlib import Path

import numpy as np

from stetho.checkpoints.archive import MAGIC, Archive
from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.protobuf import BYTES, Field, fields
from stetho.checkpoints.readers.hdf5 import read_groups
from stetho.checkpoints.refusing import safe_name, shown
from stetho.checkpoints.stored import FileBytes, HeldBytes, Stored, Stretch, whole_file
from stetho.errors import CheckpointDamaged

NAME = "NNabla"
PARAMETER, VARIABLE, SHAPE, DATA, DIMENSION = 200, 1, 20, 100, 1
FLOAT = element_type("float32")
LARGEST_PACKED = 1 << 31


def recognizes(path: Path, head: bytes) -> bool:
    """By its name, or an archive with the version of the format in it."""
    if path.suffix in (".nnp", ".protobuf") and head:
        return True
    try:
        return head.startswith(MAGIC) and "nnp_version.txt" in Archive.open(whole_file(path)).members
    except Exception:
        return False


def read(path: Path) -> Checkpoint:
    """The parameters of all networks in the file."""
    file = whole_file(path)
    if not file.head(4).startswith(MAGIC):
        return Checkpoint(path, NAME, _parameters(file))
    archive = Archive.open(file)
    tensors: dict[str, LazyTensor] = {}
    for member in archive.members:
        if member.endswith(".protobuf"):
            tensors.update(_parameters(_stretch(archive, member)))
        elif member.endswith(".h5"):
            stored = archive.stored(member)
            if not isinstance(stored, FileBytes):
                raise CheckpointDamaged(
                    f"{path}: `{shown(member)}` is packed HDF5, which cannot be read in place; unzip it first"
                )
            tensors.update(read_groups(path, NAME, stored).tensors)
    if not tensors:
        raise CheckpointDamaged(f"{path}: no parameters in it: neither a .protobuf nor a .h5")
    return Checkpoint(path, NAME, tensors)


def _stretch(archive: Archive, member: str) -> Stretch:
    stored = archive.stored(member)
    if isinstance(stored, FileBytes):
        return stored
    return HeldBytes(archive.read(member, LARGEST_PACKED), archive.file.path)


def _parameters(file: Stretch) -> dict[str, LazyTensor]:
    tensors = {}
    for field in fields(file):
        if field.number != PARAMETER or field.wire != BYTES:
            continue
        parts = list(field.message())
        name = safe_name(next((part.text() for part in parts if part.number == VARIABLE), ""))
        sizes = [part for part in parts if part.number == SHAPE]
        shape = tuple(
            size for part in sizes for one in part.message() if one.number == DIMENSION for size in one.integers()
        )
        tensors[name] = lazy_tensor(name, shape, FLOAT, _data(parts))
    return tensors


def _data(parts: list[Field]) -> Stored:
    data = [part for part in parts if part.number == DATA]
    if len(data) == 1 and data[0].wire == BYTES:
        return data[0].place
    return HeldBytes(b"".join(np.ascontiguousarray(part.array("<f4")).tobytes() for part in data))
