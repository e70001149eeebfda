"""Our line stands in for torch's own text, and goes away again."""

import torch

from stetho.capture.torch.failure.tensor_repr import replace_repr


def test_the_last_one_puts_it_back() -> None:
    original = torch.Tensor.__repr__
    one, other = replace_repr(), replace_repr()
    one()
    one()
    assert repr(torch.zeros(3, 3)) == "float32[3, 3] cpu min 0 max 0 mean 0 std 0 zeros 100%"
    other()
    assert torch.Tensor.__repr__ is original


def test_leaves_alone_what_others_put_in_its_place() -> None:
    original = torch.Tensor.__repr__
    put_back = replace_repr()
    theirs = lambda _: "theirs"  # noqa: E731
    torch.Tensor.__repr__ = theirs  # type: ignore[method-assign, assignment]
    put_back()
    assert torch.Tensor.__repr__ is theirs
    torch.Tensor.__repr__ = original  # type: ignore[method-assign]
