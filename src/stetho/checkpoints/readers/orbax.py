"""JAX: Orbax folders, through tensorstore. A folder of steps gives its last one."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from stetho.checkpoints.contents import Checkpoint, LazyTensor, Value, lazy_tensor
from stetho.checkpoints.element_types import NATIVE, Array, element_type
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.streams import StreamedBytes
from stetho.errors import CheckpointDamaged, CheckpointRefused, MissingPackage

NAME = "Orbax"
METADATA = "_METADATA"
LONGEST_METADATA = 1 << 28
SLAB = 1 << 22


def recognizes(path: Path, _head: bytes) -> bool:
    """A folder with the description of a tree, or the folder of its steps."""
    return _item(path) is not None


def read(path: Path) -> Checkpoint:
    """The arrays of the tree; what is not an array is left out with a note."""
    item = _item(path)
    if item is None or (item / METADATA).stat().st_size > LONGEST_METADATA:
        raise CheckpointDamaged(f"{path}: no description of a tree")
    about = json.loads((item / METADATA).read_bytes())
    tensors: dict[str, LazyTensor] = {}
    values: dict[str, Value] = {}
    notes: list[str] = []
    for entry in about["tree_metadata"].values():
        keys = [safe_name(key["key"]) for key in entry["key_metadata"]]
        name, kind = ".".join(keys), str(entry["value_metadata"]["value_type"])
        if any("/" in key or key in ("", ".", "..") for key in keys):
            raise CheckpointRefused(f"{path}: an entry is named `{name}`, which leads elsewhere")
        if kind not in ("jax.Array", "np.ndarray", "scalar"):
            notes.append(f"`{name}` is a {safe_name(kind)}; it was not read")
            continue
        tensors[name] = _tensor(name, item, about)
    return Checkpoint(path, NAME, tensors, values, tuple(notes))


def _item(path: Path) -> Path | None:
    """The folder with the description: this one, an item in it, or that of the last step."""
    if not path.is_dir():
        return None
    if (path / METADATA).is_file():
        return path
    for item in ("default", "state", "params", "model"):
        if (path / item / METADATA).is_file():
            return path / item
    steps = [step for step in path.iterdir() if step.is_dir() and step.name.rpartition("_")[2].isdigit()]
    last = max(steps, key=lambda step: int(step.name.rpartition("_")[2]), default=None)
    return _item(last) if last is not None and (last / "_CHECKPOINT_METADATA").is_file() else None


def _opened(name: str, item: Path, about: dict[str, Any]) -> Any:
    try:
        import tensorstore
    except ImportError as error:
        raise MissingPackage("tensorstore", "reading Orbax checkpoints", "orbax") from error
    place: dict[str, object] = {"driver": "file", "path": f"{(item / name).resolve()}/"}
    if about.get("use_ocdbt"):
        place = {"driver": "ocdbt", "base": f"file://{item.resolve()}/", "path": f"{name}/"}
    driver = "zarr3" if about.get("use_zarr3") else "zarr"
    return tensorstore.open({"driver": driver, "kvstore": place}, read=True, open=True).result()


def _tensor(name: str, item: Path, about: dict[str, Any]) -> LazyTensor:
    array = _opened(name, item, about)
    element = element_type(array.dtype.name)
    shape = tuple(int(size) for size in array.shape)
    size = int(np.prod(shape, dtype=object)) * element.stored.itemsize
    return lazy_tensor(name, shape, element, StreamedBytes(size, partial(_slabs, name, item, about), name))


def _slabs(name: str, item: Path, about: dict[str, Any]) -> Iterator[Array]:
    array = _opened(name, item, about)
    width = 1 if array.dtype.name not in NATIVE else array.dtype.numpy_dtype.itemsize
    if not array.shape:
        yield np.atleast_1d(np.asarray(array.read().result())).view(np.uint8)
        return
    row = max(int(np.prod(array.shape[1:], dtype=object)) * width, 1)
    rows = max(SLAB // row, 1)
    for first in range(0, array.shape[0], rows):
        slab = array[first : min(first + rows, array.shape[0])].read().result()
        yield np.ascontiguousarray(slab).reshape(-1).view(np.uint8)
