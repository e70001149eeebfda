"""Indices, classes and axes. Each error is made by really running torch."""

from typing import Any

import pytest

from stetho.explaining.indices import lookup
from stetho.explaining.scene import LayerFacts, Operand, Scene

CASES = {
    "more_of_the_largest_than_there_are": (
        "too-many-largest",
        """
        scores = torch.ones(4, 3)
        scores.topk(5)
        """,
        "`scores` has 3",
        "k=min(",
    ),
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
    "places_numbered_from_one": (
        "position",
        """
        x, places = torch.rand(5, 3), torch.tensor([1, 5])
        x[places]
        """,
        "5 was asked for",
        "`places - 1`",
        "an index of at most 4: `places` holds 5",
    ),
    "a_position_too_far": (
        "lookup",
        """
        table = nn.Embedding(8, 4)
        places = torch.arange(12)
        table(places)
        """,
        "`places` holds 0 to 11",
        "at most 8 places in a sequence",
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
    "an_index_with_too_few_axes": (
        "index-axes",
        """
        scores, actions = torch.rand(8, 3), torch.randint(0, 3, (8,))
        scores.gather(1, actions)
        """,
        "`actions` is [8]",
        "`actions.unsqueeze(1)` is [8, 1]",
    ),
    "an_index_with_more_rows_than_there_are": (
        "index-size",
        """
        scores, actions = torch.rand(4, 3), torch.randint(0, 3, (8, 1))
        scores.gather(1, actions)
        """,
        "in axis 0 it has 8 places, and only 4 are there",
    ),
    "a_class_too_many_beside_weights_of_classes": (
        "class-number",
        """
        scores, labels, weights = torch.rand(4, 10), torch.tensor([0, 2, 10, 3]), torch.ones(10)
        F.cross_entropy(scores, labels, weights)
        """,
        "`scores` has scores for the classes 0 to 9",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []


def test_a_sequence_longer_than_a_library_knows_positions_is_told_from_a_word_that_it_does_not_know() -> None:
    words = Operand("ids", (2, 40), "int64", low=0.0, high=58.0)
    places = Operand("input", (1, 40), "int64", low=0.0, high=39.0, taken_as="input")
    table = LayerFacts("transformer.wpe", "Embedding", {"num_embeddings": 32, "embedding_dim": 24})
    scene = Scene("IndexError", "index out of range in self", layer=table, operands=(words,), arguments=(places,))
    explanation = lookup.explain(scene)
    assert explanation is not None
    assert explanation.title.endswith("and `input` holds 0 to 39")
    assert explanation.fits == (
        "at most 32 places in a sequence; `ids` has 40: `ids[:, :32]`",
        "a model made for 40 positions",
    )
