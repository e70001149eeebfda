"""Calls that never end. Each error is made by really running into it."""

from typing import Any

import pytest

CASES = {
    "a_layer_that_calls_itself": (
        "recursion",
        """
        class Tree(nn.Module):
            def forward(self, x, depth=0):
                return self.forward(x + 1, depth + 1)
        Tree()(torch.zeros(2))
        """,
        "again at program.py:4: return self.forward(x + 1, depth + 1)",
        "a condition that ends the calls",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
