"""PyTorch's distributed checkpoints: a folder with a pickled index, `.metadata`, and files of small archives.

A tensor that was spread over ranks lies in several chunks.
"""

from pathlib import Path
from typing import Any

from stetho.checkpoints.chunks import Chunk, in_chunks
from stetho.checkpoints.contents import Checkpoint, LazyTensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.nested import Opaque
from stetho.checkpoints.pickles.known import OpaqueKind
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.pickles.weights import unpickled
from stetho.checkpoints.readers import pytorch
from stetho.checkpoints.readers.sharded import inside
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.stored import whole_file
from stetho.errors import CheckpointDamaged

NAME = "PyTorch distributed"
INDEX = ".metadata"


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
    if _dtype(described.get("properties")) not in (None, chunks[0][1].element.name):
        raise CheckpointDamaged(f"`{name}` has chunks of another type than its own")
    return in_chunks(name, _sizes(described["size"]), chunks)


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
