"""Indices, classes and axes. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_class_too_many": (
        "class-number",
        """
        scores, labels = torch.rand(4, 10), torch.tensor([0, 2, 10, 3])
        F.cross_entropy(scores, labels)
        """,
        "`labels` holds the class 10",
        "classes 0 to 9",
        "11 outputs",
    ),
    "classes_numbered_from_one": (
        "class-number",
        """
        scores, labels = torch.rand(4, 10), torch.tensor([1, 2, 10, 3])
        F.cross_entropy(scores, labels)
        """,
        "`labels - 1`",
    ),
    "a_negative_class": (
        "class-number",
        """
        scores, labels = torch.rand(4, 10), torch.tensor([1, 2, -1, 3])
        nn.CrossEntropyLoss()(scores, labels)
        """,
        "class -1",
        "ignore_index=-1",
    ),
    "a_word_outside_of_the_table": (
        "lookup",
        """
        table = nn.Embedding(10, 4)
        words = torch.tensor([1, 12])
        table(words)
        """,
        "`table` (Embedding) has 10 rows",
        "`words` holds 1 to 12",
        "nn.Embedding(13, 4)",
    ),
    "a_negative_word": (
        "lookup",
        """
        table = nn.Embedding(10, 4)
        words = torch.tensor([1, -1])
        table(words)
        """,
        "padding_idx",
    ),
    "a_bag_outside_of_the_table": (
        "bag-lookup",
        """
        nn.EmbeddingBag(10, 4)(torch.tensor([[1, 12]]))
        """,
        "10 rows",
        "12",
        "at least 13",
    ),
    "a_place_too_far": (
        "position",
        """
        x = torch.rand(5, 9)
        x[7]
        """,
        "`x` has 5 places in axis 0",
        "7 was asked for",
        "another axis",
    ),
    "an_axis_too_many": (
        "axis",
        """
        x = torch.rand(2, 3)
        x.sum(2)
        """,
        "`x` [2, 3] has 2 axes",
        "from -2 to 1",
        "2 was asked for",
        "dim=-1",
    ),
    "too_many_indices": (
        "too-many-indices",
        """
        x = torch.rand(5)
        x[1, 2]
        """,
        "`x` has 1 axes",
    ),
    "a_mask_of_another_shape": (
        "mask-shape",
        """
        x, keep = torch.rand(5), torch.tensor([True, False])
        x[keep]
        """,
        "`keep` is [2]",
        "[5]",
    ),
    "a_class_beyond_one_hot": (
        "one-hot",
        """
        labels = torch.tensor([5])
        F.one_hot(labels, 3)
        """,
        "5",
        "num_classes=6",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
