"""Convolutions and pooling. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "channels_that_come_last": (
        "conv-channels",
        """
        conv = nn.Conv2d(3, 8, 3)
        x = torch.rand(2, 16, 16, 3)
        conv(x)
        """,
        "`conv` (Conv2d) takes 3 channels",
        "got 16",
        "`x.permute(0, 3, 1, 2)` is [2, 3, 16, 16], which fits",
    ),
    "a_grey_image": (
        "conv-channels",
        """
        conv = nn.Conv2d(3, 8, 3)
        x = torch.rand(2, 1, 16, 16)
        conv(x)
        """,
        "got 1",
        "`x.repeat(1, 3, 1, 1)`",
        "nn.Conv2d(1, 8, …)",
    ),
    "an_image_without_channels": (
        "conv-axes",
        """
        conv = nn.Conv2d(1, 8, 3)
        x = torch.rand(7, 5)
        conv(x)
        """,
        "[batch, channels, height, width]",
        "2 axes",
    ),
    "a_sequence_with_too_many_axes": (
        "conv-axes",
        """
        conv = nn.Conv1d(1, 8, 3)
        conv(torch.rand(2, 1, 7, 5))
        """,
        "[batch, channels, length]",
        "nn.Conv2d",
    ),
    "a_kernel_larger_than_the_image": (
        "conv-kernel",
        """
        conv = nn.Conv2d(3, 8, 7)
        conv(torch.rand(2, 3, 4, 4))
        """,
        "`conv` (Conv2d) has a kernel of 7 x 7",
        "4 x 4",
    ),
    "pooling_until_nothing_is_left": (
        "pooled-away",
        """
        pool = nn.MaxPool2d(2)
        pool(torch.rand(2, 3, 1, 1))
        """,
        "`pool` (MaxPool2d)",
        "3x1x1 becomes 3x0x0",
    ),
    "pooling_of_a_flat_tensor": (
        "pooling-axes",
        """
        pool = nn.MaxPool2d(2)
        pool(torch.rand(5, 6))
        """,
        "3D or 4D",
        "[5, 6]",
    ),
    "groups_that_do_not_divide": (
        "conv-groups",
        """
        nn.Conv2d(3, 8, 3, groups=2)
        """,
        "groups in equal parts",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
