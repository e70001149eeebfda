"""Whole tensors of a step, as safetensors. Types that numpy does not have travel as structured arrays of their bits.

A bfloat16 tensor is given as an array of dtype `BFLOAT16` (a view of its 16 bits) and comes back as float32, which can
hold every bfloat16; eight-bit floats come back as they were given.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from stetho.errors import RunDamaged
from stetho.store.files import Bytes, put_in_place

Array = npt.NDArray[Any]

BFLOAT16 = np.dtype([("bfloat16", "<u2")])
FLOAT8_E4M3FN = np.dtype([("float8_e4m3fn", "u1")])
FLOAT8_E5M2 = np.dtype([("float8_e5m2", "u1")])

_NAMES = {
    np.dtype(np.bool_): "BOOL",
    np.dtype(np.uint8): "U8",
    np.dtype(np.int8): "I8",
    np.dtype("<u2"): "U16",
    np.dtype("<i2"): "I16",
    np.dtype("<u4"): "U32",
    np.dtype("<i4"): "I32",
    np.dtype("<u8"): "U64",
    np.dtype("<i8"): "I64",
    np.dtype("<f2"): "F16",
    np.dtype("<f4"): "F32",
    np.dtype("<f8"): "F64",
    np.dtype("<c8"): "C64",
    BFLOAT16: "BF16",
    FLOAT8_E4M3FN: "F8_E4M3",
    FLOAT8_E5M2: "F8_E5M2",
}
_TYPES = {name: dtype for dtype, name in _NAMES.items()}


def tensor_files(folder: Path, step: int) -> Iterator[Path]:
    """Where the tensors of a step go: one file, and numbered ones when the step is saved more than once."""
    yield folder / f"step-{step:08d}.safetensors"
    number = 2
    while True:
        yield folder / f"step-{step:08d}-{number}.safetensors"
        number += 1


def write_tensors(path: Path, tensors: Mapping[str, Array]) -> None:
    """Write a safetensors file; a dtype that the format does not know is a ValueError."""
    header: dict[str, object] = {}
    pieces: list[Bytes] = []
    at = 0
    # The largest alignment first keeps every tensor aligned, as the format asks.
    for name, tensor in sorted(tensors.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])):
        array = np.ascontiguousarray(tensor.astype(tensor.dtype.newbyteorder("<"), copy=False))
        if array.dtype not in _NAMES:
            raise ValueError(f"{name} has dtype {array.dtype}; a run stores {', '.join(_TYPES)}")
        end = at + array.nbytes
        header[name] = {"dtype": _NAMES[array.dtype], "shape": list(tensor.shape), "data_offsets": [at, end]}
        pieces.append(array.reshape(-1).view(np.uint8).data)
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    put_in_place(path, len(text).to_bytes(8, "little"), text, *pieces)


def read_tensors(path: Path) -> dict[str, Array]:
    """Read a safetensors file; RunDamaged when it is not one."""
    from safetensors import SafetensorError, deserialize

    try:
        return {name: _array(tensor) for name, tensor in deserialize(path.read_bytes())}  # type: ignore[no-untyped-call]
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise RunDamaged(f"{path}: not a readable safetensors file ({error}); copy it again") from error


def _array(tensor: Mapping[str, Any]) -> Array:
    array = np.frombuffer(tensor["data"], _TYPES[tensor["dtype"]]).reshape(tensor["shape"])
    if array.dtype == BFLOAT16:
        return (array["bfloat16"].astype(np.uint32) << 16).view(np.float32)
    return array
