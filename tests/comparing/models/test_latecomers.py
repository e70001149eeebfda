"""Pairs that came last: recurrences in closed form, norms of single pictures, losses, prototypes, quantisation."""

from typing import Any

import pytest

from stetho.comparing.models.compare import compare_models
from tests.comparing.models.latecomers import MODELS, pair

INPUTS: dict[str, Any] = {
    "scan": (2, 5, 4), "instance": (2, 3, 8, 8), "focal": ["6,5", "6:int64:3"], "squeezed": (2, 3, 6, 6),
    "cosine": (4, 6), "bag": ["3,4:int64:20", "3,5:int64:20"], "shuffled": (2, 3, 5, 5), "quantised": (4, 5),
    "graph": (6, 3),
}  # fmt: skip
PLANTED = [
    ("scan", "late", "einsum", ""),
    ("instance", "sample spread", "var_mean", "the second is 1.02857 times the first"),
    ("focal", "power", "pow", "`exponent` is 2 in the first, 1.5 in the second"),
    ("squeezed", "hard", "hardsigmoid", ""),
    ("cosine", "temperature", "mul", "the second is 2 times the first, at every element"),
    ("bag", "turned", "einsum", ""),
    ("shuffled", "channels last", "permute", "the same values in another order"),
    ("quantised", "not through", "embedding", "in the first, no gradient comes there"),
    ("graph", "slope", "leaky_relu", "`negative_slope` is 0.2 in the first, 0.01 in the second"),
]


@pytest.mark.parametrize("name", MODELS)
def test_right_ones_are_equal(name: str) -> None:
    found = compare_models(*pair(name), INPUTS[name])
    assert found.is_equal, str(found)


@pytest.mark.parametrize(("name", "fault", "operation", "reason"), PLANTED)
def test_names_the_place_of_a_planted_fault(name: str, fault: str, operation: str, reason: str) -> None:
    difference = compare_models(*pair(name, fault), INPUTS[name]).first_difference
    assert difference is not None
    assert difference.other is not None
    assert difference.other.operation == operation, str(difference)
    assert any(reason in each for each in [*difference.reasons, ""]), difference.reasons
