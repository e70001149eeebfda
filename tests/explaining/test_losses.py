"""Losses, their inputs and targets. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_reduction_of_another_name": (
        "reduction-name",
        """
        F.mse_loss(torch.ones(3), torch.ones(3), reduction='avg')
        """,
        "no reduction `avg`",
        "'mean', 'sum' or 'none'",
    ),
    "a_target_with_an_axis_less": (
        "target-size",
        """
        p, y = torch.rand(4, 1), torch.rand(4)
        F.binary_cross_entropy_with_logits(p, y)
        """,
        "`p` is [4, 1], `y` [4]",
        "`p.squeeze(-1)` is [4]",
    ),
    "a_binary_target_with_an_axis_less": (
        "target-size",
        """
        p, y = torch.rand(4, 1), torch.rand(4)
        nn.BCELoss()(p, y)
        """,
        "`y.unsqueeze(-1)` is [4, 1]",
    ),
    "classes_where_probabilities_are_wanted": (
        "target-size",
        """
        p, y = torch.rand(4, 3), torch.zeros(4)
        F.binary_cross_entropy_with_logits(p, y)
        """,
        "nn.CrossEntropyLoss",
    ),
    "another_number_of_samples": (
        "loss-batch-sizes",
        """
        scores, labels = torch.rand(8, 3), torch.zeros(4).long()
        F.cross_entropy(scores, labels)
        """,
        "8 samples",
        "targets for 4",
        "2 times 4",
    ),
    "a_target_with_an_axis_more": (
        "several-targets",
        """
        scores, labels = torch.rand(4, 3), torch.zeros(4, 1).long()
        F.cross_entropy(scores, labels)
        """,
        "`labels` is [4, 1]",
        "`labels.squeeze(1)` is [4]",
    ),
    "a_one_hot_target": (
        "class-probabilities",
        """
        scores, labels = torch.rand(4, 3), torch.zeros(4, 3).long()
        F.cross_entropy(scores, labels)
        """,
        "`labels.argmax(1)`",
    ),
    "too_many_class_weights": (
        "class-weights",
        """
        F.cross_entropy(torch.rand(4, 3), torch.zeros(4).long(), weight=torch.ones(5))
        """,
        "3 classes",
        "5 weights",
    ),
    "an_image_target_of_another_size": (
        "loss-places",
        """
        F.cross_entropy(torch.rand(4, 3, 8, 8), torch.zeros(4, 9, 9).long())
        """,
        "[4, 8, 8]",
        "[4, 9, 9]",
    ),
    "scores_where_probabilities_are_wanted": (
        "probabilities",
        """
        p = torch.zeros(4) + 2
        F.binary_cross_entropy(p, torch.zeros(4))
        """,
        "`p` goes from 2 to 2",
        "BCEWithLogitsLoss",
    ),
    "probabilities_that_are_none": (
        "drawn-probabilities",
        """
        torch.multinomial(torch.tensor([-1.0, 2.0]), 1)
        """,
        "softmax",
    ),
    "a_distribution_of_nan": (
        "distribution",
        """
        torch.distributions.Categorical(logits=torch.tensor([float('nan'), 1.0]), validate_args=True)
        """,
        "Categorical",
        "`logits`",
    ),
    "a_deviation_below_zero": (
        "distribution",
        """
        torch.distributions.Normal(torch.zeros(2), torch.tensor([1.0, -1.0]), validate_args=True)
        """,
        "`scale`",
        "F.softplus(x)",
    ),
    "classes_in_the_last_axis": (
        "target-places",
        """
        scores, target = torch.rand(4, 7, 3), torch.zeros(4, 7).long()
        F.cross_entropy(scores, target)
        """,
        "the target is [4, 3] here, and it is [4, 7]",
        "`scores.transpose(1, 2)`",
    ),
    "lengths_from_before_a_stride": (
        "alignment-lengths",
        """
        scores = torch.randn(10, 2, 5).log_softmax(2)
        target, lengths = torch.ones(2, 3).long(), torch.tensor([12, 10])
        F.ctc_loss(scores, target, lengths, torch.tensor([3, 3]))
        """,
        "is 12",
        "10 places",
        "stride",
    ),
    "scores_in_place_of_probabilities_as_they_come_from_the_model": (
        "probabilities",
        """
        model, x, y = nn.Linear(10, 1), torch.rand(32, 10), torch.ones(32, 1)
        nn.init.constant_(model.bias, 9.0)
        nn.BCELoss()(model(x), y)
        """,
        "`model(x)` goes from",
        "`torch.sigmoid(model(x))`",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
