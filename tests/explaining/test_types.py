"""Types of numbers. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_double_input": (
        "mixed-types",
        """
        fc = nn.Linear(4, 2)
        x = torch.rand(3, 4).double()
        fc(x)
        """,
        "`fc` (Linear) computes in float32",
        "given float64",
        "`x.float()`",
        "numpy",
        "program.py:3: x = torch.rand(3, 4).double()",
    ),
    "a_long_input": (
        "mixed-types",
        """
        fc = nn.Linear(4, 2)
        x = torch.ones(3, 4).long()
        fc(x)
        """,
        "given int64",
        "`x.float()`",
    ),
    "a_half_input": (
        "mixed-types",
        """
        fc = nn.Linear(4, 2)
        x = torch.ones(3, 4).half()
        fc(x)
        """,
        "given float16",
        "`model.half()`",
        "torch.autocast",
    ),
    "an_image_of_bytes": (
        "mixed-types",
        """
        conv = nn.Conv2d(3, 4, 3)
        x = torch.zeros(2, 3, 8, 8, dtype=torch.uint8)
        conv(x)
        """,
        "`conv` (Conv2d)",
        "given uint8",
        "`x.float()`",
    ),
    "a_target_of_floats": (
        "target-type",
        """
        scores, labels = torch.rand(4, 3), torch.zeros(4)
        F.cross_entropy(scores, labels)
        """,
        "`labels` is float32",
        "`labels.long()`",
    ),
    "a_target_of_short_numbers": (
        "target-type",
        """
        scores, labels = torch.rand(4, 3), torch.zeros(4, dtype=torch.int32)
        F.cross_entropy(scores, labels)
        """,
        "`labels` is int32",
    ),
    "a_binary_target_of_whole_numbers": (
        "found-type",
        """
        p, labels = torch.rand(4), torch.zeros(4).long()
        F.binary_cross_entropy(p, labels)
        """,
        "`labels` is int64",
        "`labels.float()`",
    ),
    "a_binary_target_of_whole_numbers_with_logits": (
        "result-type",
        """
        p, labels = torch.rand(4), torch.zeros(4).long()
        F.binary_cross_entropy_with_logits(p, labels)
        """,
        "`labels` holds int64",
        "`labels.float()`",
    ),
    "an_embedding_of_floats": (
        "index-type",
        """
        table = nn.Embedding(10, 4)
        words = torch.tensor([1.0, 2.0])
        table(words)
        """,
        "`table` (Embedding)",
        "`words` is float32",
        "`words.long()`",
    ),
    "an_index_of_floats": (
        "indexing-type",
        """
        x, i = torch.rand(5), torch.tensor([1.0, 2.0])
        x[i]
        """,
        "`i` is float32",
        "`i.long()`",
    ),
    "gather_by_floats": (
        "indexing-type",
        """
        x, i = torch.rand(5, 3), torch.tensor([[1.0]])
        x.gather(1, i)
        """,
        "`i.long()`",
    ),
    "a_mask_of_floats": (
        "mask-type",
        """
        x, mask = torch.rand(2, 3), torch.zeros(2, 3)
        x.masked_fill(mask, 0)
        """,
        "`mask` is float32",
        "`mask.bool()`",
    ),
    "a_mean_of_whole_numbers": (
        "mean-of-whole-numbers",
        """
        x = torch.zeros(3).long()
        x.mean()
        """,
        "int64",
        "`x.float().mean()`",
    ),
    "a_gradient_of_whole_numbers": (
        "gradient-of-whole-numbers",
        """
        torch.zeros(3, dtype=torch.long, requires_grad=True)
        """,
        "dtype=torch.float32",
    ),
    "a_tuple_for_a_tensor": (
        "not-a-tensor",
        """
        rnn, fc = nn.LSTM(10, 20), nn.Linear(20, 2)
        fc(rnn(torch.rand(5, 3, 10)))
        """,
        "`fc` (Linear)",
        "got a tuple",
        "output, state = layer(x)",
    ),
    "nothing_for_a_tensor": (
        "not-a-tensor",
        """
        fc = nn.Linear(2, 2)
        fc(None)
        """,
        "NoneType",
        "return",
    ),
    "an_operation_that_a_type_lacks": (
        "not-implemented",
        """
        x = torch.zeros(3, 3).half()
        torch.linalg.svd(x)
        """,
        "float16",
        "`x.float()`",
    ),
    "a_product_of_two_types": (
        "mixed-types",
        """
        q, k = torch.rand(3, 4), torch.rand(4, 5).double()
        q @ k
        """,
        "`q` is float32, `k` float64",
    ),
    "values_of_another_type_that_are_scattered": (
        "written-type",
        """
        x, where, new = torch.zeros(3, 4), torch.zeros(3, 1).long(), torch.ones(3, 1).double()
        x.scatter_(1, where, new)
        """,
        "different types: float32 and float64",
        "source.to(target.dtype)",
    ),
    "one_mask_less_another": (
        "difference-of-bools",
        """
        a, b = torch.tensor([True]), torch.tensor([False])
        a - b
        """,
        "`a` holds truth values",
        "`~a`",
        "`a.float()`",
    ),
    "a_gradient_of_indices": (
        "gradient-of-whole-numbers",
        """
        torch.arange(4).requires_grad_()
        """,
        "whole numbers",
        "`.float()`",
    ),
    "an_index_for_gather_made_on_the_spot": (
        "indexing-type",
        """
        scores = torch.rand(3, 4)
        scores.gather(1, torch.zeros(3, 1))
        """,
        "a whole number",
        "`index.long()`",
    ),
    "classes_as_floats_beside_scores_from_the_model": (
        "target-type",
        """
        model, x, y = nn.Linear(4, 3), torch.rand(8, 4), torch.ones(8)
        nn.CrossEntropyLoss()(model(x), y)
        """,
        "`y` is float32",
        "`y.long()`",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
