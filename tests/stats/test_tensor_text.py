"""A tensor in one line."""

from math import inf, nan

from stetho.stats.summary import EMPTY, Summary
from stetho.stats.tensor_text import tensor_text


def test_few_values_are_shown_themselves() -> None:
    assert tensor_text("float32", [2], "cpu", values=[1.0, nan]) == "float32[2] cpu 1, nan"


def test_many_are_summed_up() -> None:
    summary = Summary(10, 1, 2, 3, -1.0, 2.0, 0.5, 7.0)
    text = tensor_text("float16", [10], "cuda:0", requires_grad=True, summary=summary)
    assert text == "float16[10] cuda:0 grad min -1 max 2 mean 0.5 std 1 zeros 30% nan 1 inf 2"


def test_nothing_finite_has_no_range() -> None:
    assert (
        tensor_text("float32", [3], "cpu", summary=Summary(3, 3, 0, 0, inf, -inf, 0.0, 0.0)) == "float32[3] cpu nan 3"
    )


def test_an_empty_tensor_is_its_shape() -> None:
    assert tensor_text("float32", [0, 4], "cpu", summary=EMPTY) == "float32[0, 4] cpu"
