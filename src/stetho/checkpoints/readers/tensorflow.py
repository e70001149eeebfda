"""TensorFlow's checkpoints: `NAME.index`, a sorted table of names, and `NAME.data-00000-of-00001`, the bytes."""

import struct
from collections.abc import Iterator
from pathlib import Path

from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.protobuf import fields, varint
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.stored import FileBytes, HeldBytes, whole_file
from stetho.errors import CheckpointDamaged, CheckpointRefused

NAME = "TensorFlow"
FOOTER, MAGIC = 48, struct.pack("<Q", 0xDB4775248B80FB57)
MOST_INDEX = 1 << 28
TRAILER = 5
SUFFIX = "/.ATTRIBUTES/VARIABLE_VALUE"

# fmt: off
TYPES = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 8: "complex64", 9: "int64",
    10: "bool", 11: "int8", 12: "uint8", 13: "int32", 14: "bfloat16", 15: "int16", 16: "uint16", 17: "uint16",
    18: "complex128", 19: "float16", 22: "uint32", 23: "uint64", 24: "float8_e5m2", 25: "float8_e4m3fn",
}
# fmt: on
DTYPE, SHAPE, SHARD, OFFSET, SIZE, SLICES = 1, 2, 3, 4, 5, 7


def recognizes(path: Path, _head: bytes) -> bool:
    """The index, its name without the ending, or a folder in which there is one."""
    return _index(path) is not None


def read(path: Path) -> Checkpoint:
    """All variables under their names; texts and variables in slices are left out with a note."""
    index = _index(path)
    if index is None:
        raise CheckpointDamaged(f"{path}: no index of a TensorFlow checkpoint")
    tensors: dict[str, LazyTensor] = {}
    notes: list[str] = []
    entries = dict(_table(whole_file(index)))
    shards = _shards(index, entries.pop(b"", b""))
    for key, entry in entries.items():
        if key.startswith(b"\0"):  # a slice of a variable, under a name that only TensorFlow reads
            continue
        name = safe_name(key.decode("utf-8").removesuffix(SUFFIX))
        tensor = _tensor(name, entry, shards, notes)
        if tensor is not None:
            tensors[name] = tensor
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


def _tensor(name: str, entry: bytes, shards: list[FileBytes], notes: list[str]) -> LazyTensor | None:
    parts = list(fields(HeldBytes(entry, shards[0].path)))
    numbers = {part.number: part.value for part in parts}
    shape = tuple(
        size.value
        for part in parts
        if part.number == SHAPE
        for dimension in part.message()
        if dimension.number == 2
        for size in (next((one for one in dimension.message() if one.number == 1), None),)
        if size is not None
    )
    kind = numbers.get(DTYPE, 0)
    if SLICES in numbers or kind not in TYPES:
        if name != "_CHECKPOINTABLE_OBJECT_GRAPH":
            reason = "is stored in slices" if SLICES in numbers else f"holds TensorFlow type {kind}, no numbers"
            notes.append(f"`{name}` {reason}; it was not read")
        return None
    shard = numbers.get(SHARD, 0)
    if shard >= len(shards):
        raise CheckpointDamaged(f"`{name}` lies in data file {shard} of {len(shards)}")
    place = shards[shard].part(numbers.get(OFFSET, 0), numbers.get(SIZE, 0))
    return lazy_tensor(name, shape, element_type(TYPES[kind]), place)


def _table(file: FileBytes) -> Iterator[tuple[bytes, bytes]]:
    """The entries of the sorted table: blocks of entries that share beginnings, found by a block of blocks."""
    if file.size > MOST_INDEX:
        raise CheckpointRefused(f"{file.path}: an index of {file.size:,} bytes; names are short")
    content = file.head(MOST_INDEX)
    footer = content[-FOOTER:]
    if len(footer) < FOOTER or footer[-8:] != MAGIC:
        raise CheckpointDamaged(f"{file.path}: does not end like the index of a TensorFlow checkpoint; copy it again")
    _, at = varint(footer, 0)
    _, at = varint(footer, at)
    for _, handle in _entries(content, footer, at, file):
        yield from _entries(content, handle, 0, file)


def _entries(content: bytes, handle: bytes, at: int, file: FileBytes) -> Iterator[tuple[bytes, bytes]]:
    offset, at = varint(handle, at)
    size, _ = varint(handle, at)
    block = content[offset : offset + size]
    if len(block) != size or offset + size + TRAILER > len(content) or size < 4:
        raise CheckpointDamaged(f"{file.path}: a block lies outside of the file; copy it again")
    if content[offset + size] != 0:
        raise CheckpointDamaged(f"{file.path}: a packed index, which is not read; save it with TensorFlow 2")
    end = size - 4 - 4 * int.from_bytes(block[-4:], "little")
    key, place = b"", 0
    while place < end:
        shared, place = varint(block, place)
        unshared, place = varint(block, place)
        length, place = varint(block, place)
        if shared > len(key) or place + unshared + length > end:
            raise CheckpointDamaged(f"{file.path}: an entry contradicts its block; copy it again")
        key = key[:shared] + block[place : place + unshared]
        place += unshared
        yield key, block[place : place + length]
        place += length
