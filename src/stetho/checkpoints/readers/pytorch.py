"""PyTorch's zip format, since version 1.6: a pickle of the tree, and a member of the archive for each storage."""

from pathlib import Path

from stetho.checkpoints.archive import MAGIC, Archive
from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.nested import Flat
from stetho.checkpoints.pickles.known import Storage
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.pickles.weights import unpickled, weights
from stetho.checkpoints.stored import FileBytes, HeldBytes, Stored, whole_file
from stetho.errors import CheckpointDamaged

NAME = "PyTorch"
TREE = "data.pkl"
LONGEST_TREE = 1 << 30


def recognizes(path: Path, head: bytes) -> bool:
    """A zip archive with a pickled tree in it."""
    try:
        return head.startswith(MAGIC) and Archive.open(whole_file(path)).ending(TREE) is not None
    except Exception:
        return head.startswith(MAGIC) and path.suffix in (".pt", ".pth", ".bin", ".ckpt")


def read(path: Path) -> Checkpoint:
    """Tensors and values under the names of the nested dictionaries."""
    flat = read_flat(whole_file(path))
    return Checkpoint(path, NAME, flat.tensors, flat.values, flat.notes())


def read_flat(file: FileBytes) -> Flat:
    """Tensors and values of an archive that may be a part of a larger file."""
    tree, archive, folder = read_tree(file)
    places: dict[str, Stored] = {}

    def place(storage: Storage) -> Stored:
        if storage.key not in places:
            stored = archive.stored(f"{folder}data/{storage.key}")
            if stored.size < storage.elements * storage.element.stored.itemsize:
                raise CheckpointDamaged(
                    f"{file.path}: the storage {storage.key!r} is shorter than declared; copy it again"
                )
            places[storage.key] = stored
        return places[storage.key]

    order = f"{folder}byteorder"
    is_big = order in archive.members and archive.read(order, 100) == b"big"
    return weights(tree, place, big_endian=is_big)


def read_tree(file: FileBytes) -> tuple[object, Archive, str]:
    """The pickled tree with references to storages, the archive, and the folder of the archive that holds both."""
    archive = Archive.open(file)
    member = archive.ending(TREE)
    if member is None:
        raise CheckpointDamaged(f"{file.path}: the archive has no {TREE}; it is no checkpoint of PyTorch")
    stored = archive.stored(member)
    stretch = stored if isinstance(stored, FileBytes) else HeldBytes(archive.read(member, LONGEST_TREE), file.path)
    return unpickled(PickleStream(stretch)), archive, member.removesuffix(TREE)
