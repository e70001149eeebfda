"""Types of elements: their names, how their bytes lie in a file, and the numbers they stand for.

Types that numpy does not have (bfloat16, eight-bit floats) are read as their bits and decoded to float32, which can
hold every one of their values.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

NATIVE = (
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
)

EIGHT_BIT = {
    "float8_e4m3fn": (4, 3, 7, "one NaN"),
    "float8_e5m2": (5, 2, 15, "IEEE"),
    "float8_e4m3fnuz": (4, 3, 8, "NaN is -0"),
    "float8_e5m2fnuz": (5, 2, 16, "NaN is -0"),
}
"""Bits of the exponent, bits of the fraction, bias, and which codes are no numbers."""


@dataclass(frozen=True, slots=True)
class ElementType:
    """One type of element.

    >>> BFLOAT16 = element_type("bfloat16")
    >>> BFLOAT16.stored, BFLOAT16.decoded(np.array([0x3FC0], "<u2"))
    (dtype('<u2'), array([1.5], dtype=float32))
    """

    name: str
    stored: np.dtype[Any]
    """How an element lies in the file."""

    def decoded(self, raw: Array) -> Array:
        """The numbers that stored elements stand for, in the byte order of this machine."""
        if self.name == "bfloat16":
            return (raw.astype(np.uint32) << 16).view(np.float32)
        if self.name == "bool":
            return np.not_equal(raw.view(np.uint8), 0)  # any byte but 0 is true: a file may hold others than 1
        if self.name in NATIVE:
            return raw.astype(raw.dtype.newbyteorder("="), copy=False)
        values: Array = _eight_bit_values(self.name)[raw]
        return values

    @property
    def is_float(self) -> bool:
        """Whether NaN and infinity can occur."""
        return "float" in self.name or "complex" in self.name


def element_type(name: str, *, big_endian: bool = False) -> ElementType:
    """The type of a name; KeyError when there is none.

    >>> element_type("float8_e4m3fn").decoded(np.array([0x08, 0x7E, 0x7F], np.uint8))
    array([1.5625e-02, 4.4800e+02,        nan], dtype=float32)
    """
    bits = {"bfloat16": "u2", "bool": "u1"}.get(name, name if name in NATIVE else "u1")
    if name not in NATIVE and name not in EIGHT_BIT and name not in ("bfloat16", "float8_e8m0fnu"):
        raise KeyError(f"no element type `{name}`")
    return ElementType(name, np.dtype(bits).newbyteorder(">" if big_endian else "<"))


def of_numpy(dtype: np.dtype[Any]) -> ElementType:
    """The type of a numpy array's elements; KeyError for objects, texts and records."""
    if dtype.name not in NATIVE and dtype.kind == "V":
        raise KeyError(f"no element type `{dtype}`")
    return element_type(dtype.name, big_endian=dtype.byteorder == ">")


@cache
def _eight_bit_values(name: str) -> Array:
    codes = np.arange(256)
    if name == "float8_e8m0fnu":  # an exponent and nothing else
        return np.where(codes == 255, np.nan, np.ldexp(1.0, codes - 127)).astype(np.float32)
    exponent_bits, fraction_bits, bias, specials = EIGHT_BIT[name]
    sign = np.where(codes & 0x80, -1.0, 1.0)
    exponent = (codes >> fraction_bits) & ((1 << exponent_bits) - 1)
    fraction = (codes & ((1 << fraction_bits) - 1)) / (1 << fraction_bits)
    values = sign * np.where(exponent == 0, np.ldexp(fraction, 1 - bias), np.ldexp(1.0 + fraction, exponent - bias))
    if specials == "one NaN":
        values[(codes & 0x7F) == 0x7F] = np.nan
    elif specials == "NaN is -0":
        values[0x80] = np.nan
    else:
        top = exponent == (1 << exponent_bits) - 1
        values = np.where(top, np.where(fraction == 0, sign * np.inf, np.nan), values)
    return values.astype(np.float32)
