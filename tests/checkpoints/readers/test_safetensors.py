"""safetensors: what the library writes is read, and headers that lie are refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from stetho.checkpoints.opening import open_checkpoint
from stetho.checkpoints.readers.safetensors import read
from stetho.errors import CheckpointDamaged, CheckpointRefused


def write(path: Path, header: Any, data: bytes = bytes(8)) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def entry(begin: int = 0, end: int = 8, shape: tuple[int, ...] = (2,), dtype: str = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def test_reads_what_the_library_writes(tmp_path: Path) -> None:
    tensors = {
        "half": torch.tensor([1.5, -2.0]).bfloat16(),
        "eight": torch.tensor([0.5, 448.0]).to(torch.float8_e4m3fn),
        "flag": torch.tensor([True, False]),
        "scalar": torch.tensor(3, dtype=torch.int16),
        "empty": torch.zeros(0, 4),
    }
    save_file(tensors, tmp_path / "a.safetensors", metadata={"format": "pt"})
    checkpoint = open_checkpoint(tmp_path / "a.safetensors")
    assert checkpoint.settings == {"__metadata__.format": "pt"}
    for name, tensor in tensors.items():
        expected = tensor.float() if tensor.is_floating_point() else tensor
        np.testing.assert_array_equal(checkpoint[name].read(), expected.numpy(), strict=True)


@pytest.mark.parametrize(
    "header",
    [
        {"w": entry(0, 4)},
        {"w": entry(0, 16, (4,))},
        {"w": entry(8, 0)},
        {"w": entry(0, 8, (-2,))},
        {"w": entry(0, 8, (1 << 62, 1 << 62))},
        {"w": {"dtype": "F32"}},
        {"w": entry(), "v": entry(4, 8, (1,))},
        {"w": entry(), "v": entry()},
        {"w": entry(0, 8, ("2",))},  # type: ignore[arg-type]
        [],
        b'{"w": 1, "w": 2}',
        b"{" + b"[" * 100_000,
        b"not json",
    ],
)
def test_a_header_that_contradicts_the_file_is_damage(header: Any, tmp_path: Path) -> None:
    with pytest.raises(CheckpointDamaged) as raised:
        open_checkpoint(write(tmp_path / "a.safetensors", header))
    assert "a.safetensors" in str(raised.value)


def test_a_header_longer_than_the_format_allows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes((1 << 40).to_bytes(8, "little") + b"{}")
    with pytest.raises(CheckpointRefused, match="the format allows"):
        read(tmp_path / "a.safetensors")


def test_names_with_escape_codes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointRefused, match=r"\\x1b\[31m"):
        open_checkpoint(write(tmp_path / "a.safetensors", {"\x1b[31m": entry()}))


def test_types_of_the_future_are_noted(tmp_path: Path) -> None:
    checkpoint = read(write(tmp_path / "a.safetensors", {"w": entry(dtype="F4"), "v": entry(8, 16)}, bytes(16)))
    assert list(checkpoint) == ["v"]
    assert "`w` has the type F4" in checkpoint.notes[0]
