"""HDF5: weights of Keras (`.h5`) and NNabla (`.h5`), through h5py.

Only what lies in the file itself is read: links and data sets that point to other files are refused.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stetho.checkpoints.contents import Checkpoint, LazyTensor, Value, lazy_tensor
from stetho.checkpoints.element_types import Array, of_numpy
from stetho.checkpoints.nested import DEEPEST, MOST_ENTRIES
from stetho.checkpoints.refusing import safe_name, shown
from stetho.checkpoints.stored import FileBytes, whole_file
from stetho.checkpoints.streams import StreamedBytes
from stetho.checkpoints.window import FileWindow
from stetho.errors import CheckpointRefused, MissingPackage

if TYPE_CHECKING:
    import h5py

NAME = "HDF5"
MAGIC = b"\x89HDF\r\n\x1a\n"
SLAB = 1 << 22


def recognizes(_path: Path, head: bytes) -> bool:
    """By its magic bytes."""
    return head.startswith(MAGIC)


def read(path: Path) -> Checkpoint:
    """A tensor for each data set, under its path."""
    return read_groups(path, NAME, whole_file(path))


def read_groups(path: Path, form: str, file: FileBytes) -> Checkpoint:
    """The data sets of an HDF5 file that may be a part of a larger file."""
    tensors: dict[str, LazyTensor] = {}
    values: dict[str, Value] = {}
    notes: list[str] = []
    with FileWindow(file) as window, _h5py().File(window, "r") as opened:
        for name, dataset in _datasets(opened, file, values):
            try:
                element = of_numpy(dataset.dtype)
            except KeyError:
                notes.append(f"`{name}` holds {shown(str(dataset.dtype))} and no numbers; it was not read")
                continue
            shape = tuple(int(size) for size in dataset.shape or ())
            stored = StreamedBytes(int(dataset.size) * dataset.dtype.itemsize, partial(_slabs, file, name), name)
            tensors[name] = lazy_tensor(name, shape, element, stored)
    return Checkpoint(path, form, tensors, values, tuple(notes))


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise MissingPackage("h5py", "reading HDF5 and Keras files", "hdf5") from error
    return h5py


def _datasets(opened: "h5py.Group", file: FileBytes, called: dict[str, Value]) -> Iterator[tuple[str, "h5py.Dataset"]]:
    """All data sets under their paths; `called` is told which groups have a name of their own, as layers of Keras."""
    h5py = _h5py()
    waiting: list[tuple[str, Any, int]] = [("", opened, 0)]
    seen = 0
    while waiting:
        name, group, depth = waiting.pop()
        seen += 1
        if depth > DEEPEST or seen > MOST_ENTRIES:
            raise CheckpointRefused(f"{file.path}: groups nested more than {DEEPEST} deep, or in a circle")
        if isinstance(group, h5py.Dataset):
            if group.external or group.is_virtual:
                raise CheckpointRefused(f"{file.path}: `{name}` points to another file; weights lie in their own")
            yield name, group
            continue
        if isinstance(own_name := group.attrs.get("name"), str):
            called[f"{name}/name" if name else "name"] = own_name
        entries = []
        for key in group if isinstance(group, h5py.Group) else ():
            link = group.get(key, getlink=True)
            own = safe_name(f"{name}/{key}" if name else key)
            if isinstance(link, h5py.ExternalLink):
                raise CheckpointRefused(f"{file.path}: `{own}` points to another file; weights lie in their own")
            if isinstance(link, h5py.HardLink):
                entries.append((own, group[key], depth + 1))
        waiting.extend(reversed(entries))


def _slabs(file: FileBytes, name: str) -> Iterator[Array]:
    """The elements of a data set, a few rows at a time."""
    with FileWindow(file) as window, _h5py().File(window, "r") as opened:
        dataset = opened[name]
        if not dataset.shape:
            yield np.atleast_1d(np.asarray(dataset[()])).view(np.uint8)
            return
        row = max(dataset.size // max(dataset.shape[0], 1) * dataset.dtype.itemsize, 1)
        rows = max(SLAB // row, 1)
        for first in range(0, dataset.shape[0], rows):
            yield np.ascontiguousarray(dataset[first : first + rows]).reshape(-1).view(np.uint8)
