"""Models from a description: weights find their way, rounding of constants is no difference, faults are named."""

from collections.abc import Callable
from typing import Any

import pytest
from torch import nn

from stetho.comparing.models.compare import compare_models
from stetho.comparing.porting.port import port
from tests.comparing.models import rewritten as r
from tests.comparing.models.stranger_parts import Pair

INPUTS: dict[Callable[..., Pair], Any] = {
    r.book_lstm: (2, 4, 3), r.gate_lstm: (2, 4, 3), r.graph: (5, 3), r.patches: (2, 2, 6, 6), r.turned: (2, 5, 4),
}  # fmt: skip


@pytest.mark.parametrize("make", INPUTS, ids=lambda make: make.__name__)
def test_right_ones_are_equal(make: Callable[[], Pair]) -> None:
    found = compare_models(*make(), INPUTS[make])
    assert found.is_equal, str(found)


@pytest.mark.parametrize("make", [r.book_lstm, r.gate_lstm, r.patches], ids=lambda make: make.__name__)
def test_weights_are_carried_back_too(make: Callable[[], Pair]) -> None:
    assert port(*make()[::-1], INPUTS[make]).is_confirmed


@pytest.mark.parametrize(
    ("make", "fault", "operations", "reason"),
    [
        (r.book_lstm, "cell bare", ("mul", "mul"), "the second does mul to what the first does tanh to"),
        (r.graph, "mean", ("matmul", "index_add"), ""),
        (r.patches, "no relu", ("relu", None), "the second ends here"),
        (r.turned, "from one", ("mul", "mul"), ""),
    ],
    ids=lambda each: each.__name__ if callable(each) else None,
)
def test_names_the_place_of_a_planted_fault(
    make: Callable[[str], Pair], fault: str, operations: tuple[str | None, str | None], reason: str
) -> None:
    difference = compare_models(*make(fault), INPUTS[make]).first_difference
    assert difference is not None
    assert tuple(each.operation if each else None for each in (difference.one, difference.other)) == operations
    assert reason in "\n".join(difference.reasons)


def test_a_bias_of_zeros_that_only_the_first_has_is_noted() -> None:
    first, second = nn.Sequential(nn.Linear(3, 4), nn.Tanh()), nn.Sequential(nn.Linear(3, 4, bias=False), nn.Tanh())
    nn.init.zeros_(first[0].bias)
    found = compare_models(first, second, (2, 3))
    assert found.is_equal
    assert found.notes == ("only the first has `0.bias`, which holds zeros now: an update will change that",)
