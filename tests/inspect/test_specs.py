"""Tests of inputs as they are typed."""

import pytest

from stetho.errors import UsageError
from stetho.inspect.specs import TensorSpec, arranged, parse_input


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("1,3,32,32", (), TensorSpec((1, 3, 32, 32))),
        ("4:int64", (), TensorSpec((4,), "int64")),
        ("ids=4,16:int64:1000", ("ids",), TensorSpec((4, 16), "int64", 1000)),
        ("batch.ids=4", ("batch", "ids"), TensorSpec((4,))),
        (":float64", (), TensorSpec((), "float64")),
        ("rate==0.5", ("rate",), 0.5),
        ("mode==fast", ("mode",), "fast"),
    ],
)
def test_reads_every_form_of_an_input(text: str, path: tuple[str, ...], value: object) -> None:
    given = parse_input(text)
    assert (given.path, given.value) == (path, value)


@pytest.mark.parametrize("text", ["", "1,-3", "1;3", "x=", "a b=1", "1,3:float32:x", "=3"])
def test_an_unreadable_input_is_one_clear_error(text: str) -> None:
    with pytest.raises(UsageError, match="is no input; an input is"):
        parse_input(text)


def test_parts_of_an_argument_are_put_together() -> None:
    texts = ["2", "batch.ids=1", "batch.pair.0=3", "batch.pair.1=4"]
    call = arranged([parse_input(text) for text in texts])
    assert call.args == (TensorSpec((2,)),)
    assert call.kwargs == {"batch": {"ids": TensorSpec((1,)), "pair": [TensorSpec((3,)), TensorSpec((4,))]}}


def test_a_number_as_a_name_is_a_place() -> None:
    call = arranged([parse_input("0.ids=1"), parse_input("0.mask=2")])
    assert call.args == ({"ids": TensorSpec((1,)), "mask": TensorSpec((2,))},)


def test_an_argument_is_given_whole_or_in_parts() -> None:
    with pytest.raises(UsageError, match="as a whole and in parts"):
        arranged([parse_input("x=1"), parse_input("x.a=1")])
