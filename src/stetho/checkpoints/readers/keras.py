"""Keras 3 (`.keras`): a zip archive with the configuration and the weights as HDF5."""

import json
from pathlib import Path

from stetho.checkpoints.archive import MAGIC, Archive
from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.readers.hdf5 import read_groups
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.stored import FileBytes, whole_file
from stetho.errors import CheckpointDamaged

NAME = "Keras"
WEIGHTS = "model.weights.h5"
LONGEST_METADATA = 1 << 20


def recognizes(path: Path, head: bytes) -> bool:
    """A zip archive with Keras weights in it."""
    try:
        return head.startswith(MAGIC) and WEIGHTS in Archive.open(whole_file(path)).members
    except Exception:
        return path.suffix == ".keras"


def read(path: Path) -> Checkpoint:
    """The weights under their paths, and the version that wrote them."""
    archive = Archive.open(whole_file(path))
    stored = archive.stored(WEIGHTS)
    if not isinstance(stored, FileBytes):
        raise CheckpointDamaged(
            f"{path}: the weights are packed in the archive, which Keras does not do; unzip it first"
        )
    found = read_groups(path, NAME, stored)
    values = dict(found.settings)
    if "metadata.json" in archive.members:
        about = json.loads(archive.read("metadata.json", LONGEST_METADATA))
        values |= {f"metadata.{safe_name(key)}": str(value) for key, value in about.items()}
    return Checkpoint(path, NAME, found.tensors, values, found.notes)
