"""Numbers that are dropped though nobody trains."""

import sys

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from stetho.comparing.models.compare import compare_models
from stetho.comparing.torch.chances import chance_of, line_at


@pytest.mark.parametrize(
    ("function", "args", "kwargs", "chance"),
    [
        (F.dropout, (None,), {}, 0.5),
        (F.dropout, (None, 0.3, False), {}, 0.0),
        (F.dropout2d, (None,), {"p": 0.1}, 0.1),
        (F.alpha_dropout, (None, 0.3), {}, 0.0),
        (F.scaled_dot_product_attention, (None, None, None, None, 0.2), {}, 0.2),
        (F.scaled_dot_product_attention, (None, None, None), {"dropout_p": 0.1}, 0.1),
        (F.relu, (None,), {}, 0.0),
    ],
)
def test_the_chance_is_read_from_the_call(function: object, args: tuple, kwargs: dict, chance: float) -> None:  # type: ignore[type-arg]
    assert chance_of(function, args, kwargs) == chance


def test_a_line_is_that_of_the_program() -> None:
    assert line_at(sys._getframe()).startswith(" (test_chances.py:")
    assert line_at(None) == ""


class Dropping(nn.Module):
    def __init__(self, *, always: bool) -> None:
        super().__init__()
        self.inward, self.always = nn.Linear(3, 4), always

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(self.inward(x), 0.2, training=self.training or self.always)


def test_dropout_that_stays_on_in_evaluation_is_noted() -> None:
    torch.manual_seed(0)
    found = compare_models(Dropping(always=False), Dropping(always=True), (2, 3))
    (note,) = found.notes
    assert note.startswith("the second drops numbers in evaluation too")
    assert "dropout by p=0.2 (test_chances.py:" in note
    assert not compare_models(Dropping(always=False), Dropping(always=True), (2, 3), training=True).notes
