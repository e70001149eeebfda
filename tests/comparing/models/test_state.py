"""Running statistics after a call in training."""

import torch
from torch import Tensor, nn

from stetho.comparing.models.compare import compare_models


class Statistics(nn.Module):
    """A batch norm by hand, whose running variance may be that of the batch, without its correction."""

    def __init__(self, is_corrected: bool) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("variance", torch.ones(4))
        self.is_corrected = is_corrected

    def forward(self, x: Tensor) -> Tensor:
        mean, variance = x.mean(0), x.var(0, correction=0)
        with torch.no_grad():
            self.mean.lerp_(mean, 0.1)
            self.variance.lerp_(x.var(0, correction=int(self.is_corrected)), 0.1)
        return (x - mean) / (variance + 1e-5).sqrt()


def test_statistics_by_hand_are_those_of_a_batch_norm() -> None:
    found = compare_models(nn.BatchNorm1d(4, affine=False), Statistics(True), (6, 4), training=True)
    assert found.compared == "1 output, 1 gradient and 2 buffers", str(found)


def test_a_running_variance_without_its_correction_is_told() -> None:
    difference = compare_models(
        nn.BatchNorm1d(4, affine=False), Statistics(False), (6, 4), training=True
    ).first_difference
    assert difference is not None
    assert difference.stage == "state"
    assert "`variance` does not" in difference.reasons[0]


def test_what_only_one_model_keeps_is_no_difference() -> None:
    class Counted(nn.ReLU):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x: Tensor) -> Tensor:
            self.calls += 1
            return super().forward(x)

    assert compare_models(nn.ReLU(), Counted(), (6, 4), training=True).is_equal
