"""TensorFlow's checkpoints: `NAME.index`, a sorted table of names, and `NAME.data-00000-of-00001`, the bytes."""

from collections.abc import Mapping
from pathlib import Path

from stetho.checkpoints.chunks import in_chunks
from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.protobuf import Field, fields
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.sorted_table import entries
from stetho.checkpoints.stored import FileBytes, HeldBytes, whole_file
from stetho.checkpoints.tensor_slices import TYPES, Slice, begin_of, shape_of, shape_within, slice_key, slice_of
from stetho.errors import CheckpointDamaged, CheckpointRefused

NAME = "TensorFlow"
MOST_INDEX = 1 << 28
SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"
DTYPE, SHAPE, SHARD, OFFSET, SIZE, SLICES = 1, 2, 3, 4, 5, 7


def recognizes(path: Path, _head: bytes) -> bool:
    """The index, its name without the ending, or a folder in which there is one."""
    return _index(path) is not None


def read(path: Path) -> Checkpoint:
    """All variables under their names; texts are left out with a note."""
    index = _index(path)
    if index is None:
        raise CheckpointDamaged(f"{path}: no index of a TensorFlow checkpoint")
    tensors: dict[str, LazyTensor] = {}
    notes: list[str] = []
    file = whole_file(index)
    if file.size > MOST_INDEX:
        raise CheckpointRefused(f"{file.path}: an index of {file.size:,} bytes; names are short")
    table = {key: place.head(MOST_INDEX) for key, place in entries(file)}
    shards = _shards(index, table.pop(b"", b""))
    for key, entry in table.items():
        if key.startswith(b"\0"):  # a slice of a variable, which is found by the variable
            continue
        full = key.decode("utf-8")
        name = safe_name(full.removesuffix(SUFFIX))
        parts = list(fields(HeldBytes(entry, index)))
        kind = next((part.value for part in parts if part.number == DTYPE), 0)
        slices = [slice_of(part.message()) for part in parts if part.number == SLICES]
        if kind in TYPES:
            tensors[name] = (
                _sliced(name, full, parts, slices, table, shards) if slices else _tensor(name, parts, shards)
            )
        elif name != "_CHECKPOINTABLE_OBJECT_GRAPH":
            notes.append(f"`{name}` holds TensorFlow type {kind}, no numbers; it was not read")
    return Checkpoint(path, NAME, tensors, {}, tuple(notes))


def _index(path: Path) -> Path | None:
    if path.is_dir():
        found = [*path.glob("variables/variables.index"), *path.glob("*.index")]
        named = [file for file in found if file.name == f"{_latest(path)}.index"]
        return named[0] if named else found[0] if len(found) == 1 else None
    if path.suffix == ".index":
        return path if path.is_file() else None
    beside = path.with_name(f"{path.name}.index")
    return beside if beside.is_file() else None


def _latest(folder: Path) -> str:
    """The checkpoint that the file `checkpoint` names."""
    file = folder / "checkpoint"
    first = file.read_bytes()[:10_000].decode("utf-8", "replace").partition("\n")[0] if file.is_file() else ""
    key, _, value = first.partition(":")
    return value.strip().strip('"').rpartition("/")[2] if key == "model_checkpoint_path" else ""


def _shards(index: Path, header: bytes) -> list[FileBytes]:
    about = {field.number: field.value for field in fields(HeldBytes(header, index))}
    count = about.get(1, 0)
    if about.get(2, 0) != 0:
        raise CheckpointDamaged(f"{index}: big-endian checkpoints are not read")
    if not 0 < count < 100_000:
        raise CheckpointDamaged(f"{index}: claims {count:,} data files")
    stem = index.name.removesuffix(".index")
    paths = [index.with_name(f"{stem}.data-{number:05d}-of-{count:05d}") for number in range(count)]
    for path in paths:
        if not path.is_file():
            raise CheckpointDamaged(f"{path}: missing; copy the whole checkpoint")
    return [whole_file(path) for path in paths]


def _tensor(name: str, parts: list[Field], shards: list[FileBytes], shape: tuple[int, ...] | None = None) -> LazyTensor:
    numbers = {part.number: part.value for part in parts}
    shard = numbers.get(SHARD, 0)
    if shard >= len(shards):
        raise CheckpointDamaged(f"`{name}` lies in data file {shard} of {len(shards)}")
    place = shards[shard].part(numbers.get(OFFSET, 0), numbers.get(SIZE, 0))
    return lazy_tensor(name, _shape(parts) if shape is None else shape, element_type(TYPES[numbers[DTYPE]]), place)


def _sliced(
    name: str,
    full: str,
    parts: list[Field],
    slices: list[Slice],
    table: Mapping[bytes, bytes],
    shards: list[FileBytes],
) -> LazyTensor:
    """A variable that was spread over several: its slices are entries of their own."""
    shape, chunks = _shape(parts), []
    for piece in slices:
        entry = table.get(slice_key(full, piece))
        if entry is None:
            raise CheckpointDamaged(f"`{name}` has a slice that is not in the index; copy the whole checkpoint")
        own = list(fields(HeldBytes(entry, shards[0].path)))
        if not any(part.number == DTYPE and part.value in TYPES for part in own):
            raise CheckpointDamaged(f"`{name}` has a slice without a type; copy the whole checkpoint")
        chunks.append((begin_of(piece), _tensor(name, own, shards, shape_within(piece, shape))))
    return in_chunks(name, shape, chunks)


def _shape(parts: list[Field]) -> tuple[int, ...]:
    return tuple(size for part in parts if part.number == SHAPE for size in shape_of(part.message()))
