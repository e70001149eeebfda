"""`stetho.pretty_tensors` in a block and as a plain call."""

import torch

import stetho


def test_holds_inside_of_the_block() -> None:
    x = torch.zeros(3, 3)
    before = repr(x)
    with stetho.pretty_tensors():
        assert str(x) == f"{x}" == "float32[3, 3] cpu min 0 max 0 mean 0 std 0 zeros 100%"
    assert repr(x) == before


def test_holds_from_a_plain_call_until_stopped() -> None:
    x = torch.tensor([1.0])
    pretty = stetho.pretty_tensors()
    try:
        assert repr([x]) == "[float32[1] cpu 1]"
    finally:
        pretty.stop()
    assert repr(x) == "tensor([1.])"
