"""Views, joins and element-wise operations. Each error is made by really running torch."""

from typing import Any

import pytest

from stetho.explaining.scene import LayerFacts, Operand, Scene
from stetho.explaining.shapes import expanded

CASES = {
    "a_view_of_what_is_not_in_one_piece": (
        "view-not-compatible",
        """
        x = torch.rand(3, 4).t()
        x.view(12)
        """,
        "`x`",
        "`x.reshape(…)`",
    ),
    "a_view_with_another_number_of_elements": (
        "number-of-elements",
        """
        x = torch.rand(7, 16, 5, 5)
        x.view(8, 400)
        """,
        "`x` [7, 16, 5, 5] has 2,800 elements",
        "[8, 400]",
        "`x.flatten(1)` is [7, 400]",
        "-1 for the first size (7 here)",
    ),
    "a_view_that_leaves_two_sizes_open": (
        "inferred-twice",
        """
        torch.rand(3, 4).view(-1, -1)
        """,
        "more than one size open",
    ),
    "joined_tensors_that_differ": (
        "cat-sizes",
        """
        a, b = torch.rand(2, 3), torch.rand(2, 4)
        torch.cat([a, b])
        """,
        "along axis 0",
        "has 4 where the first has 3",
        "dim=1",
    ),
    "joined_tensors_with_other_axes": (
        "cat-axes",
        """
        torch.cat([torch.rand(2, 3), torch.rand(2)])
        """,
        "2 and 1",
        "unsqueeze",
    ),
    "stacked_tensors_that_differ": (
        "stack-sizes",
        """
        a, b = torch.rand(2), torch.rand(3)
        torch.stack([a, b])
        """,
        "[2]",
        "[3]",
        "torch.cat",
    ),
    "sides_that_do_not_broadcast": (
        "element-wise-sizes",
        """
        a, b = torch.rand(4, 3), torch.rand(4)
        a + b
        """,
        "`a` [4, 3] and `b` [4]",
        "`b.unsqueeze(1)` is [4, 1]",
    ),
    "results_of_two_layers": (
        "element-wise-sizes",
        """
        skip, body, x = nn.Conv2d(2, 2, 1), nn.Conv2d(2, 2, 3), torch.rand(1, 2, 8, 8)
        skip(x) + body(x)
        """,
        "`skip(x)` and `body(x)` differ in axis 3",
        "padding=1, if a convolution with kernel_size=3 makes `body(x)` smaller by 2",
    ),
    "losses_of_other_sizes": (
        "element-wise-sizes",
        """
        a, b = torch.rand(4, 3), torch.rand(4, 2)
        F.mse_loss(a, b)
        """,
        "`a` [4, 3] and `b` [4, 2]",
        "axis 1",
    ),
    "an_axis_that_cannot_grow": (
        "expanded-size",
        """
        x = torch.rand(2, 3)
        x.expand(4, 3)
        """,
        "[2, 3]",
        "[4, 3]",
        "`x.repeat(…)`",
    ),
    "a_result_too_large_for_its_place": (
        "in-place-result",
        """
        x, y = torch.rand(3), torch.rand(4, 3)
        x += y
        """,
        "[3]",
        "[4, 3]",
        "x = x + y",
    ),
    "a_permutation_of_other_axes": (
        "permuted-axes",
        """
        x = torch.rand(2, 3)
        x.permute(0, 2, 1)
        """,
        "`x` has 2 axes",
        "3",
    ),
    "parts_that_do_not_multiply_up": (
        "unflattened-size",
        """
        torch.rand(2, 6).unflatten(1, (4, 2))
        """,
        "6 places",
        "8",
    ),
    "parts_that_do_not_add_up": (
        "split-sizes",
        """
        torch.rand(6).split([2, 3])
        """,
        "6 places",
        "are 5",
    ),
    "lists_of_different_length": (
        "ragged-lists",
        """
        torch.tensor([[1, 2], [3]])
        """,
        "2 in the first one, 1 in another",
    ),
    "a_join_that_no_axis_allows": (
        "cat-sizes",
        """
        skipped, upsampled = torch.rand(2, 8, 33, 33), torch.rand(2, 8, 32, 32)
        torch.cat([skipped, upsampled], dim=1)
        """,
        "has 32 where the first has 33",
        "33 in axes 2 and 3 of tensor 1",
    ),
    "a_width_that_heads_do_not_divide": (
        "number-of-elements",
        """
        q, heads = torch.rand(2, 7, 50), 4
        q.view(2, 7, heads, 50 // heads)
        """,
        "the last axis of 50 does not split into 4 x 12 = 48",
        "a multiple of 4",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []


def test_a_layer_of_a_library_that_spreads_something_of_its_own_names_what_it_was_given() -> None:
    message = "The expanded size of the tensor (80) must match the existing size (64) at non-singleton dimension 1."
    ids = Operand("ids", (4, 80), "int64")
    kept = Operand("position_ids", (1, 64), "int64", taken_as="position_ids")
    scene = Scene(
        "RuntimeError",
        f"{message}  Target sizes: [4, 80].  Tensor sizes: [1, 64]",
        layer=LayerFacts("embeddings", "Embeddings"),
        operands=(ids,),
        arguments=(kept,),
    )
    explanation = expanded.explain(scene)
    assert explanation is not None
    assert "64 places for axis 1, and `ids` [4, 80] has 80" in explanation.title
    assert explanation.fits[0] == "at most 64 in axis 1 of `ids`"
