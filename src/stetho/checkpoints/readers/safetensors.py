"""safetensors: a JSON header with the place of every tensor, then their bytes."""

import json
from pathlib import Path
from typing import Any

from stetho.checkpoints.contents import Checkpoint, Value, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.refusing import safe_name, shown
from stetho.checkpoints.stored import whole_file
from stetho.errors import CheckpointDamaged, CheckpointRefused

NAME = "safetensors"
LONGEST_HEADER = 100_000_000
"""The limit of the format itself."""

TYPES = {
    **{f"{kind}{bits}": f"{name}{bits}" for kind, name in (("I", "int"), ("U", "uint")) for bits in (8, 16, 32, 64)},
    **{f"F{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "BOOL": "bool",
    "BF16": "bfloat16",
    "C64": "complex64",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    "F8_E8M0": "float8_e8m0fnu",
}


def recognizes(path: Path, head: bytes) -> bool:
    """By its name, or by a header that begins where the length before it says."""
    return (path.suffix == ".safetensors" and bool(head)) or (head[8:9] == b"{" and head[6:8] == b"\0\0")


def read(path: Path) -> Checkpoint:
    """The tensors in the order of the header."""
    file = whole_file(path)
    length = int.from_bytes(file.part(0, 8).head(8), "little")
    if length > LONGEST_HEADER:
        raise CheckpointRefused(f"{path}: claims a header of {length:,} bytes; the format allows {LONGEST_HEADER:,}")
    header = json.loads(file.part(8, length).head(max(length, 1)), object_pairs_hook=_without_repetition)
    data = file.part(8 + length, file.size - 8 - length)
    about: dict[str, Value] = {
        f"__metadata__.{safe_name(key)}": str(value) for key, value in header.pop("__metadata__", {}).items()
    }
    _without_overlap(header)
    tensors, notes = {}, []
    for name, one in header.items():
        begin, end = one["data_offsets"]
        place = data.part(begin, end - begin)
        if one["dtype"] not in TYPES:
            notes.append(f"`{safe_name(name)}` has the type {shown(str(one['dtype']))}, which is not read")
            continue
        tensors[name] = lazy_tensor(safe_name(name), tuple(one["shape"]), element_type(TYPES[one["dtype"]]), place)
    return Checkpoint(path, NAME, tensors, about, tuple(notes))


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise CheckpointDamaged("a name stands twice in the header; readers would not agree which is meant")
    return found


def _without_overlap(header: dict[str, Any]) -> None:
    """Bytes that belong to two tensors make a small file claim any size; the format forbids them."""
    last, reached = "", 0
    for name, one in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = one["data_offsets"]
        if begin < reached and begin < end:
            raise CheckpointDamaged(f"`{safe_name(name)}` begins inside of `{safe_name(last)}`; copy the file again")
        last, reached = (name, end) if end > reached else (last, reached)
