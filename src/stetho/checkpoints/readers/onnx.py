"""ONNX: the initializers and constants of the graph, inside the file or in files beside it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from stetho.checkpoints.contents import Checkpoint, LazyTensor, lazy_tensor
from stetho.checkpoints.element_types import ElementType, element_type
from stetho.checkpoints.protobuf import BYTES, Field, fields
from stetho.checkpoints.readers.sharded import inside
from stetho.checkpoints.refusing import safe_name
from stetho.checkpoints.stored import HeldBytes, Stored, whole_file
from stetho.errors import CheckpointDamaged

NAME = "ONNX"
GRAPH, INITIALIZER, NODE, SPARSE = 7, 5, 1, 15
NODE_OUTPUT, NODE_KIND, NODE_ATTRIBUTE, ATTRIBUTE_TENSOR = 2, 4, 5, 5
DIMENSIONS, TYPE, TENSOR_NAME, RAW, EXTERNAL, LOCATION = 1, 2, 8, 9, 13, 14

# fmt: off
TYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
    17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2", 20: "float8_e5m2fnuz", 24: "float8_e8m0fnu",
}
# fmt: on
FIXED = {4: "<f4", 10: "<f8"}
"""Fields of typed numbers of fixed width; 5, 7 and 11 hold numbers of variable width."""
VARIABLE = (5, 7, 11)


def recognizes(path: Path, head: bytes) -> bool:
    """By its name, since the format has no mark of its own."""
    return path.suffix in (".onnx", ".ort") and bool(head)


def read(path: Path) -> Checkpoint:
    """The tensors of the outermost graph."""
    tensors: dict[str, LazyTensor] = {}
    notes: list[str] = []
    for graph in (one for one in fields(whole_file(path)) if one.number == GRAPH and one.wire == BYTES):
        for part in graph.message():
            if part.number == INITIALIZER:
                _add(tensors, notes, part, path, "")
            elif part.number == NODE:
                for constant, name in _constants(part):
                    _add(tensors, notes, constant, path, name)
            elif part.number == SPARSE:
                notes.append("a sparse initializer was not read")
    if not tensors and not notes:
        raise CheckpointDamaged(f"{path}: there is no graph with weights in it; is it an ONNX file?")
    return Checkpoint(path, NAME, tensors, {}, tuple(notes))


def _constants(node: Field) -> Iterator[tuple[Field, str]]:
    parts = list(node.message())
    if any(part.number == NODE_KIND and part.text() == "Constant" for part in parts):
        name = next((part.text() for part in parts if part.number == NODE_OUTPUT), "")
        for attribute in (part for part in parts if part.number == NODE_ATTRIBUTE):
            for part in attribute.message():
                if part.number == ATTRIBUTE_TENSOR and part.wire == BYTES:
                    yield part, name


def _add(tensors: dict[str, LazyTensor], notes: list[str], described: Field, path: Path, name: str) -> None:
    parts = list(described.message())
    name = safe_name(next((part.text() for part in parts if part.number == TENSOR_NAME), "") or name)
    shape = tuple(size for part in parts if part.number == DIMENSIONS for size in part.integers())
    kind = next((part.value for part in parts if part.number == TYPE), 0)
    if name in tensors:
        raise CheckpointDamaged(f"{path}: `{name}` stands twice in the graph")
    if kind not in TYPES:
        notes.append(f"`{name}` has elements of ONNX type {kind} (texts or parts of a byte); it was not read")
        return
    element = element_type(TYPES[kind])
    tensors[name] = lazy_tensor(name, shape, element, _stored(parts, element, path))


def _stored(parts: list[Field], element: ElementType, path: Path) -> Stored:
    if any(part.number == LOCATION and part.value == 1 for part in parts):
        return _beside(parts, path)
    for part in parts:
        if part.number == RAW:
            return part.place
    fixed = [part.array(FIXED[part.number]) for part in parts if part.number in FIXED]
    if fixed:
        return HeldBytes(np.concatenate(fixed).tobytes(), path)
    numbers = [number for part in parts if part.number in VARIABLE for number in part.integers()]
    # Half floats and the like are their bits, each in a number of its own.
    bits = element.stored if element.stored.kind in "iu" else np.dtype(f"<u{element.stored.itemsize}")
    return HeldBytes(np.array(numbers, dtype=np.int64).astype(bits).tobytes(), path)


def _beside(parts: list[Field], path: Path) -> Stored:
    told: dict[str, str] = {}
    for part in parts:
        if part.number == EXTERNAL:
            pair = {one.number: one.text() for one in part.message()}
            told[pair.get(1, "")] = pair.get(2, "")
    file = whole_file(inside(path.parent, told.get("location")))
    offset = int(told.get("offset", "0"))
    return file.part(offset, int(told.get("length", str(file.size - offset))))
