import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from stetho.capture.torch.losses.class_weights import ClassWeights, sample_factors

LABELS = torch.tensor([0, 1, 2, 0, 1, 2, 2, 2])
WEIGHT = torch.tensor([1.0, 0.0, 3.0, 5.0])
LOGITS = torch.randn(8, 4, generator=torch.Generator().manual_seed(0)).requires_grad_()


def losses() -> Tensor:
    return functional.cross_entropy(LOGITS, LABELS, reduction="none")


def weights_of(*each: Tensor) -> object:
    found = ClassWeights()
    for loss in each:
        found.look(loss, LABELS.numpy(), 4)
    result = found.result()
    return result and result["weights"]


@pytest.mark.parametrize(
    "loss",
    [
        lambda: (losses() * WEIGHT[LABELS]).mean(),
        lambda: (WEIGHT[LABELS] * losses()).sum() / WEIGHT[LABELS].sum(),
        lambda: -(LOGITS.log_softmax(1)[torch.arange(8), LABELS] * WEIGHT[LABELS]).mean() * 0.5,
    ],
)
def test_reads_the_weight_of_each_class_that_is_seen(loss) -> None:  # type: ignore[no-untyped-def]
    assert weights_of(loss()) == [1.0, 0.0, 3.0, None]


def test_weights_of_samples_are_none_of_classes() -> None:
    assert weights_of((losses() * torch.rand(8)).mean()) is None
    assert weights_of((losses() * torch.tensor([-1.0, 2, 1, -1, 2, 1, 1, 1])).mean()) is None


def test_a_class_that_is_weighed_differently_later_has_no_weight() -> None:
    assert weights_of((losses() * WEIGHT[LABELS]).mean(), (losses() * (WEIGHT[LABELS] + 1)).mean()) is None


def test_a_plain_loss_and_one_that_is_gone_have_no_factors() -> None:
    assert sample_factors(losses().mean(), 8) is None
    changed = WEIGHT[LABELS]
    loss = (losses() * changed).mean()
    changed += 1
    assert weights_of(loss) is None
    assert weights_of() is None
    np.testing.assert_array_equal(sample_factors((losses() * WEIGHT[LABELS]).sum(), 8), WEIGHT[LABELS].numpy())
