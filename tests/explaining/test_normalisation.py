"""Normalising layers. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_batch_of_one": (
        "batch-norm-one-value",
        """
        norm = nn.BatchNorm1d(5)
        norm(torch.rand(1, 5))
        """,
        "`norm` (BatchNorm1d)",
        "[1, 5]",
        "drop_last=True",
        "model.eval()",
    ),
    "another_number_of_features": (
        "batch-norm-features",
        """
        norm = nn.BatchNorm1d(5)
        norm(torch.rand(4, 3))
        """,
        "made for 5 features",
        "has 3",
        "nn.BatchNorm1d(3)",
    ),
    "another_number_of_axes": (
        "batch-norm-axes",
        """
        norm = nn.BatchNorm2d(5)
        norm(torch.rand(4, 5))
        """,
        "4D",
        "of 2",
        "nn.BatchNorm1d",
    ),
    "layer_norm_of_another_width": (
        "layer-norm-shape",
        """
        norm = nn.LayerNorm(10)
        x = torch.rand(2, 10, 12)
        norm(x)
        """,
        "last axes [10]",
        "ends with [12]",
        "`x.transpose(1, -1)`",
        "nn.LayerNorm(12)",
    ),
    "an_eps_of_nothing": (
        "batch-norm-eps",
        """
        norm = nn.BatchNorm1d(5, eps=0.0)
        norm(torch.rand(4, 5))
        """,
        "`norm` (BatchNorm1d)",
        "which is 0.0",
        "eps=1e-5",
    ),
    "groups_that_do_not_divide": (
        "group-norm-groups",
        """
        nn.GroupNorm(3, 8)
        """,
        "8 channels",
        "3 groups",
        "1, 2, 4, 8",
    ),
    "group_norm_of_other_channels": (
        "group-norm-channels",
        """
        norm = nn.GroupNorm(2, 8)
        norm(torch.rand(2, 6, 3, 3))
        """,
        "8 channels",
        "has 6",
        "num_channels=6",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
