"""Short texts about tensors and layers, also those that mean nothing."""

import pytest

from stetho.checks.run.tensor_text import dtype_of, number_in, settings_of, shape_of


@pytest.mark.parametrize(
    ("text", "shape", "dtype"),
    [
        ("float32[32, 5]", (32, 5), "float32"),
        ("bool[]", (), "bool"),
        ("tuple(float32[2], float32[3])", None, None),
        ("", None, None),
        (None, None, None),
    ],
)
def test_reads_shape_and_dtype(text: str | None, shape: tuple[int, ...] | None, dtype: str | None) -> None:
    assert (shape_of(text), dtype_of(text)) == (shape, dtype)


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("p=0.5, inplace=False", {"p": "0.5", "inplace": "False"}),
        ("(32,), eps=1e-05", {"0": "(32,)", "eps": "1e-05"}),
        ("3, 8, kernel_size=(3, 3), padding=same", {"0": "3", "1": "8", "kernel_size": "(3, 3)", "padding": "same"}),
        ("", {}),
    ],
)
def test_reads_what_a_layer_says_of_itself(text: str, settings: dict[str, str]) -> None:
    assert settings_of(text) == settings


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.5", 0.5), ("1e-05", 1e-5), ("-3", -3.0), ("[2, 4]", 2.0), ("1.2.3", None), ("None", None), ("", None)],
)
def test_reads_a_number(text: str, number: float | None) -> None:
    assert number_in(text) == number
