"""The way to a checkpoint: any path in, the reader that knows its format, or one clear error."""

from pathlib import Path

from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.readers import READERS, Reader
from stetho.checkpoints.refusing import damage_named, refuse_bomb
from stetho.checkpoints.stored import FileBytes, whole_file
from stetho.errors import CheckpointDamaged, CheckpointError

HEAD = 64

Source = str | Path | Checkpoint


def open_checkpoint(path: str | Path) -> Checkpoint:
    """Open a checkpoint of any known format: names, shapes and types at once, elements when they are asked for.

    The result is a mapping from names to tensors. `tensor.read()` gives a numpy array, `tensor.blocks()` reads it piece
    by piece. No framework is needed, and nothing in the file is run.

    >>> import numpy as np
    >>> np.savez("weights.npz", w=np.ones((2, 3), np.float32))
    >>> checkpoint = open_checkpoint("weights.npz")
    >>> {name: (tensor.shape, tensor.dtype) for name, tensor in checkpoint.items()}
    {'w': ((2, 3), 'float32')}
    >>> checkpoint["w"].read().sum()
    np.float32(6.0)
    """
    path = Path(path)
    with damage_named(str(path)):
        reader = reader_of(path)
        if reader is not None:
            checkpoint = reader.read(path)
            refuse_bomb(path, _size(checkpoint), checkpoint.nbytes)
            return checkpoint
        if path.is_dir():
            return open_checkpoint(_only_file(path))
        if not path.exists():
            raise CheckpointError(f"{path}: there is no such file or folder")
        if path.stat().st_size == 0:
            raise CheckpointDamaged(f"{path}: the file is empty; copy it again")
        raise CheckpointError(f"{path}: of no known format; known are {', '.join(one.NAME for one in READERS)}")


def opened(source: Source) -> Checkpoint:
    """A checkpoint by its path, or one that is open."""
    return source if isinstance(source, Checkpoint) else open_checkpoint(source)


def reader_of(path: Path) -> Reader | None:
    """The first reader that takes a path for its own."""
    head = whole_file(path).head(HEAD) if path.is_file() else b""
    return next((reader for reader in READERS if reader.recognizes(path, head)), None)


def holds_checkpoint(path: Path) -> bool:
    """Whether a path is a checkpoint of a known format, or a folder with some in it."""
    if reader_of(path) is not None:
        return True
    return path.is_dir() and any(file.is_file() and reader_of(file) is not None for file in path.iterdir())


def _size(checkpoint: Checkpoint) -> int:
    """The bytes of all files that a checkpoint is made of."""
    path = checkpoint.path
    files = (
        {file for file in path.rglob("*") if file.is_file()} if path.is_dir() else {path} if path.exists() else set()
    )
    files |= {tensor.stored.path for tensor in checkpoint.values() if isinstance(tensor.stored, FileBytes)}
    return sum(file.stat().st_size for file in files)


def _only_file(folder: Path) -> Path:
    found = [file for file in sorted(folder.iterdir()) if file.is_file() and reader_of(file) is not None]
    # Where a model was saved twice, the safetensors are what everyone loads.
    chosen = [file for file in found if file.suffix == ".safetensors"] or found
    if len(chosen) != 1:
        names = ", ".join(file.name for file in chosen[:5])
        raise CheckpointError(
            f"{folder}: {f'{len(chosen)} checkpoints: {names}; name one' if chosen else 'no checkpoint in it'}"
        )
    return chosen[0]
