"""Bare pickles of numpy or JAX arrays in nested dictionaries; nothing in them is run."""

from pathlib import Path

from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.pickles.known import Storage
from stetho.checkpoints.pickles.stream import PickleStream
from stetho.checkpoints.pickles.weights import unpickled, weights
from stetho.checkpoints.stored import Stored, whole_file
from stetho.errors import CheckpointDamaged

NAME = "pickle"
PROTOCOLS = range(2, 6)


def recognizes(_path: Path, head: bytes) -> bool:
    """By the mark of a pickle; PyTorch's own is tried before."""
    return head[:1] == b"\x80" and len(head) > 2 and head[1] in PROTOCOLS


def read(path: Path) -> Checkpoint:
    """Arrays and values under the names of the nested dictionaries."""
    flat = weights(unpickled(PickleStream(whole_file(path))), _no_place)
    return Checkpoint(path, NAME, flat.tensors, flat.values, flat.notes())


def _no_place(storage: Storage) -> Stored:
    raise CheckpointDamaged(f"refers to the torch storage {storage.key!r}, which is not in the file")
