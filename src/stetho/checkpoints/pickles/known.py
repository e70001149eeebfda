"""What a pickled checkpoint may name: containers, torch's and numpy's ways to store a tensor. All else stays opaque."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stetho.checkpoints.element_types import EIGHT_BIT, ElementType, element_type, of_numpy
from stetho.checkpoints.nested import Opaque
from stetho.checkpoints.pickles.machine import plain_key
from stetho.checkpoints.refusing import shown
from stetho.checkpoints.stored import FileBytes, HeldBytes, Stretch
from stetho.errors import CheckpointRefused

STORAGES = {
    "BoolStorage": "bool",
    "ByteStorage": "uint8",
    "CharStorage": "int8",
    "ShortStorage": "int16",
    "IntStorage": "int32",
    "LongStorage": "int64",
    "HalfStorage": "float16",
    "FloatStorage": "float32",
    "DoubleStorage": "float64",
    "BFloat16Storage": "bfloat16",
    "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128",
    "QInt8Storage": "int8",
    "QUInt8Storage": "uint8",
    "QInt32Storage": "int32",
    "UntypedStorage": "uint8",
    "TypedStorage": "uint8",
}
OF_ML_DTYPES = ("bfloat16", *EIGHT_BIT, "float8_e8m0fnu")
HARMLESS = ("pathlib", "argparse", "datetime", "collections", "types", "enum", "decimal", "fractions", "uuid", "typing")
"""Modules of the standard library whose objects turn up in honest checkpoints; they stay opaque like all others."""
HARMLESS_BUILTINS = ("object", "slice", "range", "complex", "type", "Ellipsis", "NotImplemented", "property")


@dataclass(frozen=True, slots=True)
class Storage:
    """A torch storage: the key under which its bytes are found, and the type of its elements."""

    key: str
    element: ElementType
    elements: int


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A torch tensor: a view of a storage."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: ElementType


class StoredArray:
    """A numpy array or scalar whose bytes lie in the pickle itself."""

    def __init__(self, element: ElementType | None = None, content: Stretch | bytes | None = None) -> None:
        self.element = element
        self.content = content
        self.shape: tuple[int, ...] = ()
        self.is_column_major = False

    def set_state(self, state: Any) -> None:
        """Take what numpy saves of an array: version, shape, type, order, bytes."""
        _, self.shape, dtype, self.is_column_major, self.content = state
        self.element = dtype.element if isinstance(dtype, NumpyType) else None


class NumpyType:
    """A numpy dtype by its code."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.element: ElementType | None = None
        self._settle("<")

    def set_state(self, state: Any) -> None:
        """Take the byte order."""
        self._settle(">" if state[1] == ">" else "<")

    def _settle(self, order: str) -> None:
        try:
            self.element = of_numpy(np.dtype(self.code).newbyteorder(order))  # type: ignore[arg-type]
        except (KeyError, TypeError):
            self.element = element_type(self.code) if self.code in OF_ML_DTYPES else None


def find(module: str, name: str) -> Callable[..., Any]:
    """What stands in for a function or class of a pickle.

    >>> find("collections", "OrderedDict")([("a", 1)])
    {'a': 1}
    >>> find("their.own", "Config")("x").kind
    'their.own.Config'
    """
    top, last = module.partition(".")[0], name.rpartition(".")[2]
    module = "builtins" if module == "__builtin__" else module
    if top == "torch" and last in STORAGES:
        return StorageKind(element_type(STORAGES[last]))
    if top == "torch" and last in TORCH:
        return TORCH[last]
    if top == "numpy" and last in NUMPY:
        return NUMPY[last]
    if top == "jax" and last == "_reconstruct_array":
        return _jax_array
    if f"{module}.{name}" in CONTAINERS:
        return CONTAINERS[f"{module}.{name}"]
    is_harmless = top in HARMLESS or (module == "builtins" and name in HARMLESS_BUILTINS)
    if (top in sys.stdlib_module_names or top in ("nt", "__builtin__")) and not is_harmless:
        raise CheckpointRefused(
            f"the pickle calls `{shown(f'{module}.{name}')}`, which weights never need; nothing of it was run. "
            "If you trust the file, load it where it was made and save its state dict"
        )
    return OpaqueKind(f"{module}.{name}")


@dataclass(frozen=True, slots=True)
class StorageKind:
    """A class of storages, called or not."""

    element: ElementType

    def __call__(self, *arguments: Any) -> Opaque:
        """A storage that is pickled as an object of its own holds nothing that can be read."""
        return Opaque("torch storage", arguments)


@dataclass(frozen=True, slots=True)
class OpaqueKind:
    """A class or function that is not known here."""

    kind: str

    def __call__(self, *arguments: Any) -> Opaque:
        """An opaque object instead of a call."""
        return Opaque(self.kind, arguments)


def _tensor(storage: Any, offset: Any, shape: Any, strides: Any, *_more: Any) -> Any:
    if not isinstance(storage, Storage):
        return Opaque("torch tensor without storage")
    return StoredTensor(storage, offset, tuple(shape), tuple(strides), storage.element)


def _tensor_of_type(
    storage: Any, offset: Any, shape: Any, strides: Any, _gradient: Any, _hooks: Any, dtype: Any
) -> Any:
    made = _tensor(storage, offset, shape, strides)
    if isinstance(made, StoredTensor) and isinstance(dtype, OpaqueKind):
        element = element_type(dtype.kind.removeprefix("torch."))
        return StoredTensor(made.storage, made.offset, made.shape, made.strides, element)
    return made


def _of_type(function: Any, _kind: Any, arguments: Any, state: Any) -> Any:
    made = function(*arguments)
    if isinstance(made, Opaque):  # a tensor that wraps others, such as the shard of a distributed one
        made.state = state
    return made


def _sparse(_layout: Any, parts: Any) -> Any:
    return dict(zip(("indices", "values", "shape"), parts, strict=False))


def _mapping(*arguments: Any) -> dict[Any, Any]:
    pairs = next((one for one in arguments if isinstance(one, list | dict)), [])
    return {plain_key(key): value for key, value in (pairs.items() if isinstance(pairs, dict) else pairs)}


def _sequence(*arguments: Any) -> list[Any]:
    items = arguments[0] if arguments else []
    return list(items) if isinstance(items, list | tuple | set | frozenset) else []


def _encoded(text: Any, _encoding: Any = "latin1") -> bytes:
    return text.encode("latin1") if isinstance(text, str) else b""


def _reconstructed(kind: Any, *_more: Any) -> Opaque:
    return Opaque(kind.kind if isinstance(kind, OpaqueKind) else "object")


def _new_array(*_arguments: Any) -> StoredArray:
    return StoredArray()


def _scalar(dtype: Any, content: Any = b"") -> Any:
    return StoredArray(dtype.element if isinstance(dtype, NumpyType) else None, content)


def _jax_array(function: Any, arguments: Any, state: Any, _kind: Any) -> Any:
    array = function(*arguments)
    array.set_state(state)
    return array


def _numpy_type(code: Any = "O", *_more: Any) -> NumpyType:
    # Types that numpy lacks are classes of the package ml_dtypes.
    return NumpyType(code.kind.removeprefix("ml_dtypes.") if isinstance(code, OpaqueKind) else str(code))


def _first(first: Any, *_more: Any) -> Any:
    return first


TORCH: dict[str, Callable[..., Any]] = {
    "_rebuild_tensor": _tensor,
    "_rebuild_tensor_v2": _tensor,
    "_rebuild_tensor_v3": _tensor_of_type,
    "_rebuild_qtensor": _tensor,
    "_rebuild_sparse_tensor": _sparse,
    "_rebuild_parameter": _first,
    "_rebuild_parameter_with_state": _first,
    "_rebuild_from_type_v2": _of_type,
    "Size": lambda sizes=(): tuple(sizes),
    "device": lambda *parts: ":".join(map(str, parts)),
}
NUMPY: dict[str, Callable[..., Any]] = {
    "_reconstruct": _new_array,
    "ndarray": OpaqueKind("numpy.ndarray"),
    "scalar": _scalar,
    "dtype": _numpy_type,
}
CONTAINERS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("collections.OrderedDict", "collections.defaultdict", "builtins.dict"), _mapping),
    "collections.Counter": _mapping,
    **dict.fromkeys(("builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset"), _sequence),
    "collections.deque": _sequence,
    "builtins.bytearray": lambda content=b"": content if isinstance(content, bytes | FileBytes | HeldBytes) else b"",
    "builtins.int": lambda number=0: number if isinstance(number, int) else 0,
    "builtins.float": lambda number=0.0: number if isinstance(number, int | float) else 0.0,
    "builtins.str": lambda text="": text if isinstance(text, str) else "",
    "builtins.bool": lambda truth=False: truth is True,
    "_codecs.encode": _encoded,
    "copyreg._reconstructor": _reconstructed,
    "copy_reg._reconstructor": _reconstructed,
}
