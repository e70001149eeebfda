"""Elements that numpy does not have are decoded to the numbers that torch gives them."""

import numpy as np
import pytest
import torch

from stetho.checkpoints.element_types import EIGHT_BIT, element_type, of_numpy


@pytest.mark.parametrize("name", [*EIGHT_BIT, "float8_e8m0fnu"])
def test_eight_bit_floats_are_those_of_torch(name: str) -> None:
    codes = np.arange(256, dtype=np.uint8)
    expected = torch.from_numpy(codes.copy()).view(getattr(torch, name)).float().numpy()
    np.testing.assert_array_equal(element_type(name).decoded(codes), expected)


def test_every_bfloat16_is_that_of_torch() -> None:
    codes = np.arange(1 << 16, dtype=np.uint16)
    expected = torch.from_numpy(codes.view(np.int16).copy()).view(torch.bfloat16).float().numpy()
    np.testing.assert_array_equal(element_type("bfloat16").decoded(codes), expected)


def test_big_endian_elements_come_out_in_the_order_of_this_machine() -> None:
    raw = np.array([1.0, 2.0], ">f4")
    decoded = of_numpy(raw.dtype).decoded(raw)
    np.testing.assert_array_equal(decoded, np.array([1.0, 2.0], np.float32), strict=True)


def test_any_byte_but_zero_is_true() -> None:
    assert element_type("bool").decoded(np.array([0, 1, 7], np.uint8)).tolist() == [False, True, True]


@pytest.mark.parametrize("dtype", ["O", "U3", [("a", "<f4")], "M8[s]"])
def test_what_is_no_number_has_no_element_type(dtype: object) -> None:
    with pytest.raises(KeyError):
        of_numpy(np.dtype(dtype))  # type: ignore[call-overload]
