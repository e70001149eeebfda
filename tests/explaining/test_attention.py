"""Attention. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "heads_that_do_not_divide": (
        "attention-heads",
        """
        nn.MultiheadAttention(10, 3)
        """,
        "10 is no multiple of 3",
        "1, 2, 5, 10",
        "9 or 12",
    ),
    "vectors_of_another_width": (
        "attention-width",
        """
        layer = nn.TransformerEncoderLayer(8, 2)
        layer(torch.rand(5, 3, 6))
        """,
        "`self_attn` (MultiheadAttention)",
        "8 numbers",
        "got 6",
        "nn.Linear(6, 8)",
    ),
    "a_mask_of_another_shape": (
        "attention-mask",
        """
        att = nn.MultiheadAttention(8, 2)
        x = torch.rand(5, 3, 8)
        att(x, x, x, attn_mask=torch.zeros(4, 4))
        """,
        "from 5 to 5 positions",
        "[4, 4]",
        "a mask of [5, 5]",
        "batch_first=True",
    ),
    "a_padding_mask_that_is_turned": (
        "attention-padding-mask",
        """
        att = nn.MultiheadAttention(8, 2)
        x = torch.rand(5, 3, 8)
        att(x, x, x, key_padding_mask=torch.zeros(5, 3).bool())
        """,
        "[batch, keys]",
        "is 5",
        "3",
    ),
    "a_padding_mask_of_samples_first": (
        "attention-padding-mask",
        """
        attention, x, padding = nn.MultiheadAttention(16, 4), torch.rand(3, 10, 16), torch.zeros(3, 10).bool()
        attention(x, x, x, key_padding_mask=padding)
        """,
        "batch_first=True",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
