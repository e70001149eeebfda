from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from stetho.capture.torch.losses.flagged import flagged_distances

ONE = torch.zeros(4, 2).requires_grad_()
OTHER = torch.tensor([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]]).requires_grad_()
SAME = torch.tensor([1.0, 1.0, 0.0, 0.0])


def far() -> Tensor:
    return functional.pairwise_distance(ONE, OTHER)


def squared() -> Tensor:
    return (ONE - OTHER).pow(2).sum(1)


def halved(d: Tensor) -> Tensor:
    return (0.5 * SAME * d + 0.5 * (1 - SAME) * torch.relu(5 - d)).mean()


def contrastive(d: Tensor, same: Tensor = SAME) -> Tensor:
    return same * d**2 + (1 - same) * torch.clamp(5 - d, min=0.0).pow(2)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (lambda: contrastive(far()).mean(), (1.5, 3.5)),
        (lambda: contrastive(far(), 1 - SAME).mean(), (3.5, 1.5)),
        (lambda: 0.5 * contrastive(squared().sqrt()).sum() / 4, (1.5, 3.5)),
        (lambda: halved(squared()), (2.5, 12.5)),
    ],
)
def test_flags_tell_which_pairs_are_pulled_together(loss: Callable[[], Tensor], expected: tuple[float, float]) -> None:
    assert flagged_distances(loss().grad_fn) == pytest.approx(expected, abs=0.01)


def test_a_choice_between_two_terms_has_flags_too() -> None:
    d = squared()
    loss = torch.where(SAME > 0, d, torch.relu(5 - d)).mean()
    assert flagged_distances(loss.grad_fn) == pytest.approx((2.5, 12.5))


@pytest.mark.parametrize(
    "loss",
    [
        lambda d: (SAME * d**2).mean(),
        lambda d: (SAME * d**2 + (1 - SAME) * d).mean(),
        lambda d: (torch.rand(4) * d**2 + torch.rand(4) * torch.relu(5 - d)).mean(),
        lambda d: (d**2 + torch.relu(5 - d)).mean(),
        lambda d: d.sum(),
    ],
)
def test_other_losses_have_no_flags(loss: Callable[[Tensor], Tensor]) -> None:
    assert flagged_distances(loss(far()).grad_fn) is None


def test_too_few_pairs_of_a_kind_tell_nothing() -> None:
    assert flagged_distances(contrastive(far(), torch.tensor([1.0, 1.0, 1.0, 0.0])).mean().grad_fn) is None


def test_distances_that_are_not_the_same_are_no_pairs() -> None:
    loss = (SAME * far() + (1 - SAME) * torch.relu(5 - (ONE * 2 - OTHER).norm(dim=1))).mean()
    assert flagged_distances(loss.grad_fn) is None
