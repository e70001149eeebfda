"""Words that explanations share."""

import pytest

from stetho.explaining.phrases import cast, dtype_of, sizes, tensor_facts
from stetho.explaining.scene import Made, Operand


@pytest.mark.parametrize(
    ("word", "dtype"),
    [("Float", "float32"), ("c10::Half", "float16"), ("torch.LongTensor", "int64"), ("unsigned char", "uint8")],
)
def test_knows_the_words_of_messages_for_types(word: str, dtype: str) -> None:
    assert dtype_of(word) == dtype


def test_casts_to_a_type() -> None:
    assert cast("float32") == ".float()"


def test_reads_shapes() -> None:
    assert sizes("(1, 3, 20)") == (1, 3, 20)


def test_a_tensor_is_told_once_with_the_line_that_made_it() -> None:
    x = Operand("x", (2,), text="float32[2] cpu", made=Made("a.py:3", "x = f()"))
    assert tensor_facts(x, x, None) == (("x", "float32[2] cpu"), ("made at", "a.py:3: x = f()"))
