"""Models whose weights lie in other layouts are found equal, and a fault among them is still named."""

from collections.abc import Callable

import pytest
import torch
from torch import nn

from stetho.comparing.models.compare import compare_models
from tests.comparing.models import cousins

MEMORY = torch.randn(2, 6, 16, generator=torch.Generator().manual_seed(3))
MEMORY[0, 4:, 0], MEMORY[1, 5:, 0], MEMORY[:, :4, 0] = 2, 2, 0
CROSS = (torch.randn(2, 4, 16, generator=torch.Generator().manual_seed(4)), MEMORY)
Pair = Callable[..., tuple[nn.Module, nn.Module]]


@pytest.mark.parametrize(
    ("pair", "given"),
    [
        (cousins.packed_cross_attention, CROSS),
        (cousins.window_attention, (2, 6, 16)),
        (cousins.experts, (5, 8)),
        (cousins.interleaved_block, (2, 5, 16)),
        (cousins.grouped_rotary, (2, 5, 16)),
    ],
)
def test_other_layouts_are_no_difference(pair: Pair, given: object) -> None:
    found = compare_models(*pair(), given)
    assert found.is_equal, str(found)
    assert "confirmed" in found.weights


@pytest.mark.parametrize(
    ("pair", "fault", "given", "place", "reason"),
    [
        (cousins.packed_cross_attention, "scale", CROSS, "div in the model", "0.707107 times the first"),
        (cousins.packed_cross_attention, "axis", CROSS, "softmax in the model", "`dim` is -1 in the first, 2"),
        (cousins.window_attention, "turned", (2, 6, 16), "add in the model", ""),
        (cousins.experts, "gelu", (5, 8), "gelu in the model", ""),
    ],
)
def test_a_fault_among_other_layouts_is_named(pair: Pair, fault: str, given: object, place: str, reason: str) -> None:
    difference = compare_models(*pair(fault), given).first_difference
    assert difference is not None
    assert place in str(difference)
    assert reason in " ".join(difference.reasons)


def test_weights_that_need_another_order_are_told() -> None:
    found = compare_models(*cousins.grouped_rotary("neighbours"), (2, 5, 16))
    assert found.is_equal
    assert any("needs weights in another order: `qkv.weight`" in note for note in found.notes)
