"""Linear algebra. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "no_inverse": (
        "singular-matrix",
        """
        torch.linalg.inv(torch.zeros(3, 3))
        """,
        "is singular",
        "torch.eye",
    ),
    "no_inverse_in_a_batch": (
        "singular-matrix",
        """
        torch.linalg.inv(torch.zeros(2, 3, 3))
        """,
        "matrix 0 of the batch",
    ),
    "no_solution": (
        "singular-matrix",
        """
        torch.linalg.solve(torch.zeros(3, 3), torch.ones(3))
        """,
        "lstsq",
    ),
    "no_number": (
        "matrix-not-finite",
        """
        torch.linalg.svd(torch.full((3, 3), torch.nan))
        """,
        "no numbers",
        "--break nan",
    ),
    "not_square": (
        "not-square",
        """
        torch.linalg.eigh(torch.ones(2, 3))
        """,
        "2 × 3",
        "svd",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
