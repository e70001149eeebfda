"""PyTorch's format before version 1.6: four pickles, then the storages one after the other."""

from pathlib import Path

from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.pickles.known import Storage
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.pickles.weights import unpickled, weights
from stetho.checkpoints.refusing import shown
from stetho.checkpoints.stored import Stored, Stretch, whole_file
from stetho.errors import CheckpointDamaged

NAME = "legacy PyTorch"
MAGIC = 0x1950A86A20F9469CFC6C


def recognizes(_path: Path, head: bytes) -> bool:
    """A pickle of the magic number."""
    return head[:1] == b"\x80" and MAGIC.to_bytes(10, "little") in head[:32]


def read(path: Path) -> Checkpoint:
    """Tensors and values under the names of the nested dictionaries."""
    file = whole_file(path)
    stream = PickleStream(file)
    if unpickled(stream) != MAGIC:
        raise CheckpointDamaged(f"{path}: does not begin with the magic number of PyTorch")
    met: dict[str, Storage] = {}
    _version, system, tree = unpickled(stream), unpickled(stream), unpickled(stream, met)
    places = _places(stream, [str(key) for key in unpickled(stream)], met)

    def place(storage: Storage) -> Stored:
        if storage.key not in places:
            raise CheckpointDamaged(f"{path}: the storage {shown(storage.key)} is missing; copy the file again")
        return places[storage.key]

    is_big = isinstance(system, dict) and system.get("little_endian") is False
    flat = weights(tree, place, big_endian=is_big)
    return Checkpoint(path, NAME, flat.tensors, flat.values, flat.notes())


def _places(stream: PickleStream, keys: list[str], met: dict[str, Storage]) -> dict[str, Stretch]:
    """Each storage is its number of elements and its bytes; how wide an element is only the pickle tells."""
    places = {}
    for key in keys:
        if key not in met:
            raise CheckpointDamaged(
                f"{stream.file.path}: nothing uses the storage {shown(key)}; its length is not known"
            )
        elements = int.from_bytes(stream.read(8), "little", signed=True)
        places[key] = stream.place(elements * met[key].element.stored.itemsize)
    return places
