"""Numbers that are drawn. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_row_of_zeros": (
        "draw-from-nothing",
        """
        weights = torch.zeros(2, 3)
        torch.multinomial(weights, 1)
        """,
        "all weights of a row are 0",
        "a mask that leaves",
    ),
    "more_than_there_are": (
        "draw-too-many",
        """
        weights = torch.ones(3)
        weights.multinomial(5)
        """,
        "`weights` has 3",
        "replacement=True",
    ),
    "a_negative_deviation": (
        "negative-deviation",
        """
        torch.normal(0.0, torch.tensor([-1.0]))
        """,
        "below 0",
        "log_std.exp()",
    ),
    "a_value_that_is_never_drawn": (
        "outside-support",
        """
        one = torch.tensor(1.0)
        torch.distributions.Beta(one, one, validate_args=True).log_prob(1.5 * one)
        """,
        "asks Beta",
        "clipped, scaled or squashed",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
