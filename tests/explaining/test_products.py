"""Matrix products, linear layers, einsum. Each error is made by really running torch."""

from typing import Any

import pytest

CASES = {
    "a_second_matrix_without_a_name": (
        "matrix-shapes",
        """
        w = torch.rand(5, 4)
        w @ torch.rand(3, 4)
        """,
        "the last axis of `w` is 4, the first of the second 3",
        "the second one turned, with `.T`, is [4, 3], which fits",
    ),
    "names_the_layer_the_line_that_made_the_input_and_what_fits": (
        "matrix-shapes",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 4, 3, padding=1)
                self.fc = nn.Linear(784, 10)
            def forward(self, x):
                x = self.conv(x)
                x = F.max_pool2d(x, 2)
                return self.fc(x)
        model = Net()
        images = torch.rand(2, 1, 28, 28)
        model(images)
        """,
        "`fc` (Linear) takes 784 features",
        "got 14",
        "`x.flatten(1)` is [2, 784], which fits",
        "program.py:9: x = F.max_pool2d(x, 2)",
        "program.py:6: self.fc = nn.Linear(784, 10)",
    ),
    "a_layer_for_another_size": (
        "matrix-shapes",
        """
        head = nn.Linear(30, 5)
        x = torch.rand(4, 20)
        head(x)
        """,
        "`head` (Linear) takes 30 features",
        "got 20",
        "nn.Linear(20, 5)",
        "program.py:3: x = torch.rand(4, 20)",
    ),
    "features_in_another_axis": (
        "matrix-shapes",
        """
        head = nn.Linear(8, 5)
        x = torch.rand(4, 8, 20)
        head(x)
        """,
        "`x.transpose(1, -1)` has 8 in its last axis",
    ),
    "a_layer_in_a_chain": (
        "matrix-shapes",
        """
        net = nn.Sequential(nn.Flatten(), nn.Linear(10, 3))
        net(torch.rand(4, 3, 4))
        """,
        "`1` (Linear) takes 10 features",
        "got 12",
        "comes after `0` Flatten",
    ),
    "a_matrix_that_is_turned": (
        "matrix-shapes",
        """
        a = torch.rand(3, 4)
        b = torch.rand(6, 4)
        a @ b
        """,
        "`a` is 4",
        "`b` 6",
        "`b.T` is [4, 6], which fits",
    ),
    "batches_of_matrices": (
        "batched-matrices",
        """
        a, b = torch.rand(2, 3, 4), torch.rand(2, 5, 4)
        torch.bmm(a, b)
        """,
        "inner size",
        "`b.transpose(1, 2)` has the inner size 4",
    ),
    "batches_of_matrices_without_a_name": (
        "batched-matrices",
        """
        a = nn.Linear(8, 8)
        x = torch.rand(2, 5, 8)
        a(x) @ a(x)
        """,
        "8 on the left and 5 on the right",
        "a @ b.transpose(-2, -1)",
    ),
    "a_covariance_that_is_none": (
        "not-positive-definite",
        """
        torch.linalg.cholesky(-torch.eye(3))
        """,
        "eigenvalues are above 0",
        "1e-6 * torch.eye(n)",
    ),
    "a_vector": (
        "matrix-and-vector",
        """
        a, b = torch.rand(3, 4), torch.rand(5)
        a @ b
        """,
        "4 columns",
        "5 elements",
        "a vector of 4",
    ),
    "mm_wants_matrices": (
        "not-a-matrix",
        """
        torch.mm(torch.rand(2, 3, 4), torch.rand(4, 5))
        """,
        "two axes",
        "torch.matmul",
    ),
    "einsum_with_too_few_tensors": (
        "einsum-operands",
        """
        torch.einsum('ij,jk->ik', torch.rand(2, 3))
        """,
        "more parts before the arrow",
    ),
    "einsum_with_two_sizes_for_a_letter": (
        "einsum-size",
        """
        a, b = torch.rand(2, 3), torch.rand(4, 5)
        torch.einsum('ij,jk->ik', a, b)
        """,
        "letter j",
        "was 3, and is 4 in `b`",
    ),
    "einsum_with_too_many_letters": (
        "einsum-axes",
        """
        a, b = torch.rand(2, 3), torch.rand(3, 5)
        torch.einsum('ijk,jk->ik', a, b)
        """,
        "3 letters for `a`",
        "2 axes",
    ),
    "einsum_with_an_unknown_letter": (
        "einsum-output",
        """
        torch.einsum('ij,jk->il', torch.rand(2, 3), torch.rand(3, 5))
        """,
        "letter l",
    ),
    "distances_of_unequal_rows": (
        "distance-columns",
        """
        torch.cdist(torch.rand(3, 4), torch.rand(3, 5))
        """,
        "4 and 5 long",
    ),
}


def test_a_batch_as_one_sample_is_the_last_that_is_proposed(report: Any) -> None:
    fits = report("nn.Linear(7200, 10)(torch.zeros(4, 1800))").explanation.fits
    assert fits[0] == "a layer made for it: nn.Linear(1800, 10)"
    assert "when all of it is one sample" in fits[-1]


@pytest.mark.parametrize("case", CASES)
def test_explains(case: str, unsaid: Any) -> None:
    assert unsaid(*CASES[case]) == []
