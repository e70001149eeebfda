"""MindSpore (`.ckpt`): protocol buffers with a name, a shape, a type and the bytes for each tensor."""

from pathlib import Path

from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import element_type
from stetho.checkpoints.protobuf import BYTES, Field, fields
from stetho.checkpoints.refusing import safe_name, shown
from stetho.checkpoints.stored import Stored, whole_file
from stetho.checkpoints.streams import JoinedBytes
from stetho.errors import CheckpointDamaged

NAME = "MindSpore"
VALUE, TAG, TENSOR = 1, 1, 2
DIMENSIONS, TYPE, CONTENT = 1, 2, 3

TYPES = {
    **{f"{kind}{bits}": f"{kind.lower()}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)},
    **{f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "Bool": "bool",
    "BFloat16": "bfloat16",
    "Complex64": "complex64",
    "Complex128": "complex128",
    "Float8E4M3FN": "float8_e4m3fn",
    "Float8E5M2": "float8_e5m2",
}


def recognizes(_path: Path, head: bytes) -> bool:
    """The first field is a value whose first field is a name."""
    begin = 1
    while begin < min(len(head), 10) and head[begin] >= 0x80:
        begin += 1
    return head[:1] == b"\x0a" and head[begin + 1 : begin + 2] == b"\x0a"


def read(path: Path) -> Checkpoint:
    """The tensors; a large one is split into several values of the same name."""
    pieces: dict[str, tuple[tuple[int, ...], str, list[Stored]]] = {}
    notes: list[str] = []
    for value in fields(whole_file(path)):
        if value.number != VALUE or value.wire != BYTES:
            raise CheckpointDamaged(f"{path}: an unknown field {value.number}; it is no checkpoint of MindSpore")
        parts = {part.number: part for part in value.message()}
        if TAG not in parts or TENSOR not in parts:
            notes.append(f"`{safe_name(parts[TAG].text()) if TAG in parts else '?'}` is no tensor and was not read")
            continue
        name = safe_name(parts[TAG].text())
        shape, kind, stored = _tensor(parts[TENSOR])
        known = pieces.setdefault(name, (shape, kind, []))
        if known[:2] != (shape, kind):
            raise CheckpointDamaged(f"{path}: the pieces of `{name}` differ in shape or type")
        known[2].append(stored)
    tensors: dict[str, LazyTensor] = {}
    for name, (shape, kind, stored_pieces) in pieces.items():
        if kind not in TYPES:
            notes.append(f"`{name}` has the type {shown(kind)}, which is not read")
            continue
        stored = stored_pieces[0] if len(stored_pieces) == 1 else JoinedBytes(tuple(stored_pieces))
        tensors[name] = lazy_tensor(name, shape, element_type(TYPES[kind]), stored)
    return Checkpoint(path, NAME, tensors, {}, tuple(notes))


def _tensor(field: Field) -> tuple[tuple[int, ...], str, Stored]:
    shape: list[int] = []
    kind, content = "", None
    for part in field.message():
        if part.number == DIMENSIONS:
            shape += part.integers()
        elif part.number == TYPE:
            kind = part.text()
        elif part.number == CONTENT:
            content = part.place
    if content is None:
        raise CheckpointDamaged(f"{field.place.path}: a tensor without content")
    return tuple(shape), kind, content
