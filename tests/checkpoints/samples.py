"""One small checkpoint for each format, all with the same tensors, written by the format's library or by hand."""

import json
import pickle
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WEIGHT = np.arange(6, dtype=np.float32).reshape(2, 3) - 2.5
COUNT = np.array([3, 1 << 40], dtype=np.int64)
"""What every sample holds, as `layer.weight` and `count`, with `.` or `/` in its names."""


def message(*fields: tuple[int, int | bytes | str]) -> bytes:
    """A protocol-buffer message of numbers, texts and bytes."""
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts.append(varint(number << 3) + varint(value & (1 << 64) - 1))
        else:
            content = value.encode() if isinstance(value, str) else value
            parts.append(varint(number << 3 | 2) + varint(len(content)) + content)
    return b"".join(parts)


def varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def torch_tree() -> dict[str, Any]:
    import torch

    layer = {"weight": torch.from_numpy(WEIGHT.copy())}
    return {"layer": layer, "count": torch.from_numpy(COUNT.copy()), "epoch": 3, "half": torch.ones(2).bfloat16()}


def write_pytorch(folder: Path) -> Path:
    import torch

    torch.save(torch_tree(), folder / "a.pt")
    return folder / "a.pt"


def write_pytorch_legacy(folder: Path) -> Path:
    import torch

    torch.save(torch_tree(), folder / "a.pth", _use_new_zipfile_serialization=False)
    return folder / "a.pth"


def write_dcp(folder: Path) -> Path:
    import warnings

    from torch.distributed import checkpoint

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that there is one process
        checkpoint.save(torch_tree(), checkpoint_id=folder / "dcp", no_dist=True)
    return folder / "dcp"


def write_safetensors(folder: Path) -> Path:
    from stetho.store.tensors import write_tensors

    write_tensors(folder / "a.safetensors", {"layer.weight": WEIGHT, "count": COUNT})
    return folder / "a.safetensors"


def write_sharded(folder: Path) -> Path:
    from stetho.store.tensors import write_tensors

    write_tensors(folder / "model-1.safetensors", {"layer.weight": WEIGHT})
    write_tensors(folder / "model-2.safetensors", {"count": COUNT})
    places = {"layer.weight": "model-1.safetensors", "count": "model-2.safetensors"}
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {}, "weight_map": places}))
    return index


def write_npz(folder: Path) -> Path:
    np.savez_compressed(folder / "a.npz", **{"layer.weight": np.asfortranarray(WEIGHT), "count": COUNT.astype(">i8")})
    return folder / "a.npz"


def write_npy(folder: Path) -> Path:
    np.save(folder / "layer.weight.npy", WEIGHT)
    return folder / "layer.weight.npy"


def write_hdf5(folder: Path) -> Path:
    h5py = pytest.importorskip("h5py", reason="HDF5 files are written with h5py")
    with h5py.File(folder / "a.h5", "w") as file:
        file.create_dataset("layer/weight", data=WEIGHT, chunks=(1, 3), compression="gzip")
        file["count"] = COUNT
        file["name"] = "a text"
    return folder / "a.h5"


def write_keras(folder: Path) -> Path:
    weights = write_hdf5(folder)
    with zipfile.ZipFile(folder / "a.keras", "w") as archive:
        archive.writestr("metadata.json", '{"keras_version": "3.0.0"}')
        archive.write(weights, "model.weights.h5")
    return folder / "a.keras"


def write_tensorflow(folder: Path) -> Path:
    content = WEIGHT.tobytes() + COUNT.tobytes()
    (folder / "model.data-00000-of-00001").write_bytes(content)

    def entry(kind: int, shape: tuple[int, ...], offset: int, size: int) -> bytes:
        sizes = message(*((2, message((1, one))) for one in shape))
        return message((1, kind), (2, sizes), (4, offset), (5, size))

    entries = {
        "": message((1, 1)),
        "count": entry(9, COUNT.shape, WEIGHT.nbytes, COUNT.nbytes),
        "layer/weight/.ATTRIBUTES/VARIABLE_VALUE": entry(1, WEIGHT.shape, 0, WEIGHT.nbytes),
    }
    (folder / "model.index").write_bytes(sorted_table(entries))
    return folder / "model"


def write_tensorflow_v1(folder: Path) -> Path:
    """One variable in two slices along its second axis, so that they have to be put together."""

    def axes(*extents: tuple[int, int]) -> bytes:
        return message(*((1, message((1, start), (2, size)) if size else b"") for start, size in extents))

    def values(name: str, piece: bytes, content: bytes, kind: int) -> bytes:
        return message((2, message((1, name), (2, piece), (3, message((1, 1), (kind, content))))))

    left, right = axes((0, 0), (0, 2)), axes((0, 0), (2, 1))
    sizes = message((2, message((1, 2))), (2, message((1, 3))))
    weight = message((1, "layer/weight"), (2, sizes), (3, 1), (4, left), (4, right))
    count = message((1, "count"), (2, message((2, message((1, 2))))), (3, 9), (4, axes((0, 0))))
    entries = {
        "": message((1, message((1, weight), (1, count)))),
        "\0count": values("count", axes((0, 0)), varint(3) + varint(1 << 40), 10),
        "\0layer/weight 0": values("layer/weight", left, WEIGHT[:, :2].tobytes(), 5),
        "\0layer/weight 1": values("layer/weight", right, WEIGHT[:, 2:].tobytes(), 4),
    }
    (folder / "model.ckpt").write_bytes(sorted_table(entries))
    return folder / "model.ckpt"


def sorted_table(entries: Mapping[Any, bytes]) -> bytes:
    """The format of the index: blocks of entries, an index of the blocks, a footer."""

    def block(pairs: dict[bytes, bytes]) -> bytes:
        lines = [varint(0) + varint(len(key)) + varint(len(one)) + key + one for key, one in pairs.items()]
        return b"".join(lines) + struct.pack("<II", 0, 1)

    def handle(offset: int, size: int) -> bytes:
        return varint(offset) + varint(size)

    trailer = bytes(5)
    data = block({key if isinstance(key, bytes) else key.encode(): one for key, one in entries.items()})
    empty = block({})
    index = block({b"zzz": handle(0, len(data))})
    at_empty, at_index = len(data) + 5, len(data) + len(empty) + 10
    footer = (handle(at_empty, len(empty)) + handle(at_index, len(index))).ljust(40, b"\0")
    return data + trailer + empty + trailer + index + trailer + footer + struct.pack("<Q", 0xDB4775248B80FB57)


def write_onnx(folder: Path) -> Path:
    weight = message((1, 2), (1, 3), (2, 1), (8, "layer.weight"), (9, WEIGHT.tobytes()))
    count = message((1, 2), (2, 7), (7, varint(3) + varint(1 << 40)), (8, "count"))
    (folder / "a.onnx").write_bytes(message((1, 8), (7, message((5, weight), (5, count)))))
    return folder / "a.onnx"


def packed_array(array: Any) -> bytes:
    """An array as Flax puts it into MessagePack: shape, type and bytes, below a code of its own."""
    name, content = array.dtype.name.encode(), array.tobytes()
    inner = bytes([0x93, 0x90 | array.ndim, *array.shape, 0xA0 | len(name)]) + name
    inner += bytes([0xC4, len(content)]) + content
    return bytes([0xC7, len(inner), 1]) + inner


def write_flax(folder: Path) -> Path:
    content = b"\x82\xa5layer\x81\xa6weight" + packed_array(WEIGHT) + b"\xa5count" + packed_array(COUNT)
    (folder / "a.msgpack").write_bytes(content)
    return folder / "a.msgpack"


def write_pickled(folder: Path) -> Path:
    (folder / "a.pkl").write_bytes(pickle.dumps({"layer": {"weight": WEIGHT}, "count": COUNT, "epoch": 3}))
    return folder / "a.pkl"


def write_orbax(folder: Path) -> Path:
    tensorstore = pytest.importorskip("tensorstore", reason="Orbax folders are written with tensorstore")
    base = folder / "orbax"
    entries = {}
    for keys, array in ((("layer", "weight"), WEIGHT), (("count",), COUNT)):
        place = {"driver": "ocdbt", "base": f"file://{base}/", "path": f"{'.'.join(keys)}/"}
        spec = {"driver": "zarr", "kvstore": place, "metadata": {"compressor": {"id": "zstd"}}}
        tensorstore.open(spec, create=True, dtype=array.dtype, shape=array.shape).result().write(array).result()
        described = [{"key": key, "key_type": 2} for key in keys]
        entries[str(keys)] = {"key_metadata": described, "value_metadata": {"value_type": "jax.Array"}}
    about = {"tree_metadata": entries, "use_ocdbt": True, "use_zarr3": False}
    (base / "_METADATA").write_text(json.dumps(about))
    return base


def write_mindspore(folder: Path) -> Path:
    weight = message((1, 2), (1, 3), (2, "Float32"), (3, WEIGHT.tobytes()))
    count = message((1, 2), (2, "Int64"), (3, COUNT.tobytes()))
    values = [message((1, "layer.weight"), (2, weight)), message((1, "count"), (2, count))]
    (folder / "a.ckpt").write_bytes(message(*((1, value) for value in values)))
    return folder / "a.ckpt"


def write_nnabla(folder: Path) -> Path:
    weight = message((1, "layer/weight"), (20, message((1, varint(2) + varint(3)))), (100, WEIGHT.tobytes()))
    with zipfile.ZipFile(folder / "a.nnp", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("nnp_version.txt", "0.1")
        archive.writestr("parameter.protobuf", message((1, "0.1"), (200, weight)))
    return folder / "a.nnp"


SAMPLES: dict[str, Callable[[Path], Path]] = {
    name.removeprefix("write_"): function for name, function in list(globals().items()) if name.startswith("write_")
}
ONLY_FLOATS = ("npy", "nnabla")
"""Formats whose sample has no `count`: one holds a single array, the other single-precision floats alone."""
