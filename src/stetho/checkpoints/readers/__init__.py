"""One file for each format: `NAME`, `recognizes(path, head)` and `read(path)`; nothing else knows of formats.

`recognizes` looks at the path and at the first bytes of a file, which are empty for a folder, and never fails.
`read` gives the contents, with tensors that are read later; whatever it stumbles over becomes one clear error.
"""

from pathlib import Path
from typing import Protocol

from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.readers import (
    dcp,
    flax,
    hdf5,
    keras,
    mindspore,
    nnabla,
    npy,
    npz,
    onnx,
    orbax,
    pickled,
    pytorch,
    pytorch_legacy,
    safetensors,
    sharded,
    tensorflow,
    tensorflow_v1,
)


class Reader(Protocol):
    """What the module of a format holds."""

    NAME: str

    def recognizes(self, path: Path, head: bytes, /) -> bool:
        """Whether this may be such a file or folder."""

    def read(self, path: Path, /) -> Checkpoint:
        """The contents."""


READERS: tuple[Reader, ...] = (
    *(safetensors, sharded, pytorch, pytorch_legacy, dcp, npz, npy, keras, hdf5),
    *(tensorflow, tensorflow_v1, onnx, orbax, flax, nnabla, mindspore, pickled),
)
"""Every format, in the order in which they are tried: those with clear marks come first."""
