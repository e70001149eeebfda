"""A checkpoint in several files with an index beside them, as Hugging Face writes large models."""

import json
from pathlib import Path

from stetho.checkpoints.contents import Checkpoint, LazyTensor
from stetho.checkpoints.readers import pytorch, safetensors
from stetho.checkpoints.refusing import shown
from stetho.errors import CheckpointDamaged, CheckpointRefused

NAME = "sharded"
ENDING = ".index.json"
LONGEST_INDEX = 1 << 28


def recognizes(path: Path, _head: bytes) -> bool:
    """The index itself, or a folder with one."""
    return path.name.endswith(ENDING) if path.is_file() else len(_indices(path)) > 0


def read(path: Path) -> Checkpoint:
    """The tensors that the index lists, each from the file that it names."""
    index = path if path.is_file() else _indices(path)[0]
    if index.stat().st_size > LONGEST_INDEX:
        raise CheckpointRefused(f"{index}: an index of more than {LONGEST_INDEX:,} bytes")
    places = json.loads(index.read_bytes())["weight_map"]
    shards = {name: _shard(index, name) for name in dict.fromkeys(places.values())}
    tensors: dict[str, LazyTensor] = {}
    for name, file in places.items():
        if name not in shards[file]:
            raise CheckpointDamaged(f"{index}: `{shown(name)}` is not in {shown(file)}, where it should be")
        tensors[name] = shards[file][name]
    notes = [note for shard in shards.values() for note in shard.notes]
    notes += [
        f"`{name}` is in {shown(file)} and not in the index"
        for file, shard in shards.items()
        for name in shard
        if places.get(name) != file
    ]
    settings = {name: value for shard in shards.values() for name, value in shard.settings.items()}
    form = f"{NAME} {next(iter(shards.values())).format}" if shards else NAME
    return Checkpoint(path, form, tensors, settings, tuple(notes))


def inside(folder: Path, name: object) -> Path:
    """A file beside the index; CheckpointRefused for a name that leads elsewhere."""
    if not isinstance(name, str) or not name or "\0" in name or Path(name).is_absolute() or ".." in Path(name).parts:
        raise CheckpointRefused(f"names the file `{shown(str(name))}`, which leads elsewhere")
    path = folder / name
    if not path.is_file():
        raise CheckpointDamaged(f"the file `{shown(name)}` beside it is missing; copy the whole folder")
    return path


def _shard(index: Path, name: object) -> Checkpoint:
    path = inside(index.parent, name)
    return safetensors.read(path) if path.suffix == ".safetensors" else pytorch.read(path)


def _indices(folder: Path) -> list[Path]:
    # safetensors sorts behind pytorch_model.bin; where both are there, it is what everyone loads
    return sorted(folder.glob(f"*{ENDING}"), key=lambda file: "safetensors" not in file.name) if folder.is_dir() else []
