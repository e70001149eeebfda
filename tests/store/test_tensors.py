"""Whole tensors come back bit by bit, and other programs can read them."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from stetho.errors import RunDamaged
from stetho.store.tensors import BFLOAT16, FLOAT8_E5M2, read_tensors, tensor_files, write_tensors

DTYPES = ["?", "u1", "i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", "<f8", "<c8"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_of_every_type_come_back(tmp_path: Path, dtype: str) -> None:
    tensors = {
        "matrix": (np.arange(6) % 2).astype(dtype).reshape(2, 3),
        "scalar": np.array(1, dtype),
        "none": np.empty((0, 4), dtype),
        "across": (np.arange(6) % 2).astype(dtype).reshape(2, 3).T,
    }
    write_tensors(tmp_path / "file", tensors)
    found = read_tensors(tmp_path / "file")
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert found[name].dtype == tensor.dtype
        np.testing.assert_array_equal(found[name], tensor)


def test_the_safetensors_package_reads_the_same(tmp_path: Path) -> None:
    tensors = {"a": np.arange(3, dtype=np.uint8), "b": np.ones((2, 2)), "ö": np.float32([1])}
    write_tensors(tmp_path / "file.safetensors", tensors)
    for name, tensor in load_file(tmp_path / "file.safetensors").items():
        np.testing.assert_array_equal(tensor, tensors[name])


def test_bfloat16_comes_back_as_float32_with_the_same_values(tmp_path: Path) -> None:
    values = np.array([[1.0, -2.5], [np.inf, 0.0]], np.float32)
    bits = (values.view(np.uint32) >> 16).astype("<u2")
    write_tensors(tmp_path / "file", {"weight": bits.view(BFLOAT16)})
    found = read_tensors(tmp_path / "file")["weight"]
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, values)


def test_eight_bit_floats_come_back_as_bits(tmp_path: Path) -> None:
    bits = np.arange(4, dtype=np.uint8)
    write_tensors(tmp_path / "file", {"weight": bits.view(FLOAT8_E5M2)})
    np.testing.assert_array_equal(read_tensors(tmp_path / "file")["weight"]["float8_e5m2"], bits)


def test_a_big_endian_tensor_is_turned_round(tmp_path: Path) -> None:
    write_tensors(tmp_path / "file", {"a": np.array([1, 2], ">i4")})
    assert read_tensors(tmp_path / "file")["a"].tolist() == [1, 2]


def test_a_type_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="weight has dtype complex128"):
        write_tensors(tmp_path / "file", {"weight": np.zeros(1, complex)})


def test_a_file_that_is_no_safetensors_is_damage(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"oops")
    with pytest.raises(RunDamaged, match="not a readable safetensors file"):
        read_tensors(tmp_path / "file")


def test_files_of_a_step_are_numbered_from_the_second_on(tmp_path: Path) -> None:
    files = tensor_files(tmp_path, 12)
    assert [next(files).name for _ in range(3)] == [
        "step-00000012.safetensors",
        "step-00000012-2.safetensors",
        "step-00000012-3.safetensors",
    ]
