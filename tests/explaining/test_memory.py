"""Memory. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_tensor_too_large_for_the_host": (
        "host-memory",
        """
        torch.empty(1 << 50)
        """,
        "4 PiB",
        "a smaller batch",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
