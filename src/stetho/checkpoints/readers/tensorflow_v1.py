"""TensorFlow's older checkpoints: one sorted table with names, shapes and, slice by slice, the values."""

import re
from glob import escape
from pathlib import Path

import numpy as np

from stetho.checkpoints.chunks import Chunk, in_chunks
from stetho.checkpoints.contents import Checkpoint, lazy_tensor
from stetho.checkpoints.element_types import ElementType, element_type
from stetho.checkpoints.protobuf import Field, fields
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.sorted_table import entries, is_table
from stetho.checkpoints.stored import HeldBytes, Stretch, whole_file
from stetho.checkpoints.tensor_slices import FULL, TYPES, begin_of, shape_of, shape_within, slice_of
from stetho.errors import CheckpointDamaged

NAME = "TensorFlow V1"
SHARD = re.compile(r"-\d{5}-of-(\d{5})$")
META, DATA = 1, 2
CONTENT, FLOATS, DOUBLES, COMPLEX, DOUBLE_COMPLEX = 4, 5, 6, 9, 12
PLAIN = (CONTENT, FLOATS, DOUBLES, COMPLEX, DOUBLE_COMPLEX)
"""Fields whose bytes are the numbers themselves."""
COUNTED = (7, 10, 11, 13, 16, 17)
"""Fields of numbers of variable length: integers, truth values, the bits of short floats."""

Described = dict[str, tuple[tuple[int, ...], int]]
"""Shape and type of each variable."""


def recognizes(path: Path, _head: bytes) -> bool:
    """A file that ends like a table and is no index of others, or the common name of several such files."""
    files = _shards(path)
    return bool(files) and path.suffix != ".index" and files[0].is_file() and is_table(whole_file(files[0]))


def read(path: Path) -> Checkpoint:
    """All variables under their names, of all shards; those that are no numbers are left out with a note."""
    described: Described = {}
    chunks: dict[str, list[Chunk]] = {}
    for file in _shards(path):
        if not file.is_file():
            raise CheckpointDamaged(f"{file}: missing; copy the whole checkpoint")
        _read_shard(file, described, chunks)
    tensors, notes = {}, []
    for name, (shape, kind) in described.items():
        if kind not in TYPES:
            notes.append(f"`{name}` holds TensorFlow type {kind}, no numbers; it was not read")
        elif name not in chunks:
            raise CheckpointDamaged(f"{path}: `{name}` has no values; copy it again")
        else:
            tensors[name] = in_chunks(name, shape, chunks[name])
    return Checkpoint(path, NAME, tensors, {}, tuple(notes))


def _shards(path: Path) -> list[Path]:
    """The files of a checkpoint: one, or all of those that belong to one of them, to their name or to their folder."""
    if path.is_dir():
        firsts = list(path.glob("*-00000-of-?????"))
        return _shards(firsts[0]) if len(firsts) == 1 else []
    number = SHARD.search(path.name)
    if number is None and not path.exists():
        beside = path.parent.glob(f"{escape(path.name)}-00000-of-*") if path.parent.is_dir() else ()
        number = next((found for each in beside if (found := SHARD.search(each.name))), None)
    if number is None:
        return [path]
    stem, count = SHARD.sub("", path.name), int(number[1])
    return [path.with_name(f"{stem}-{each:05d}-of-{count:05d}") for each in range(count)]


def _read_shard(path: Path, described: Described, chunks: dict[str, list[Chunk]]) -> None:
    """Add what one file describes and holds."""
    own: Described = {}
    for key, place in entries(whole_file(path)):
        for part in fields(place):
            if not key and part.number == META:
                own = dict(_described(each) for each in part.message() if each.number == 1)
            elif part.number == DATA:
                name, chunk = _chunk(part, own)
                if chunk is not None:
                    chunks.setdefault(name, []).append(chunk)
    for name, about in own.items():
        if described.setdefault(name, about) != about:
            raise CheckpointDamaged(f"{path}: `{name}` has another shape or type there than in the files before it")


def _described(field: Field) -> tuple[str, tuple[tuple[int, ...], int]]:
    parts = {part.number: part for part in field.message()}
    if 1 not in parts or 3 not in parts:
        raise CheckpointDamaged(f"{field.place.path}: a variable without a name or a type; copy it again")
    shape = shape_of(parts[2].message()) if 2 in parts else ()
    return safe_name(parts[1].text()), (shape, parts[3].value)


def _chunk(field: Field, described: Described) -> tuple[str, Chunk | None]:
    parts = {part.number: part for part in field.message()}
    name = safe_name(parts[1].text()) if 1 in parts else ""
    if name not in described or 3 not in parts:
        raise CheckpointDamaged(f"{field.place.path}: values of `{name}`, which the file does not describe")
    whole, kind = described[name]
    if kind not in TYPES:
        return name, None
    piece = slice_of(parts[2].message()) if 2 in parts else ((0, FULL),) * len(whole)
    shape, element = shape_within(piece, whole), element_type(TYPES[kind])
    values = {part.number: part for part in parts[3].message() if part.number in (*PLAIN, *COUNTED)}
    if len(values) > 1:
        raise CheckpointDamaged(f"{field.place.path}: `{name}` has values of several kinds; copy it again")
    stored: Stretch = HeldBytes(b"", field.place.path)
    for number, part in values.items():
        stored = part.place if number in PLAIN else _counted(part, element)
    return name, (begin_of(piece), lazy_tensor(name, shape, element, stored))


def _counted(field: Field, element: ElementType) -> HeldBytes:
    """Numbers of variable length as elements; those of short floats are their bits."""
    size = element.stored.itemsize
    numbers = np.array(field.integers(), dtype=np.int64)
    return HeldBytes(numbers.astype(f"<i{size}").tobytes(), field.place.path)
