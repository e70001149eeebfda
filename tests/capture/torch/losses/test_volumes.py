import pytest
import torch

from stetho.capture.torch.losses.volumes import Volumes

X = torch.randn(64, 2, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("sign", [1, -1])
def test_tells_the_change_of_volume_and_its_sign_in_the_loss(sign: int) -> None:
    scale = torch.full((64, 1), -0.7).requires_grad_()
    result = X * torch.cat([scale, torch.zeros(64, 1)], 1).exp()
    logarithm = scale.squeeze(1) * 1
    volumes = Volumes()
    volumes.add((X,), (result, logarithm))
    volumes.look(-((-0.5 * result.pow(2)).sum(1) - sign * logarithm).mean())
    found = volumes.result()
    assert found["sign"] == sign
    assert found["said"] == pytest.approx([-0.7])
    assert found["volume"] == pytest.approx([-0.7])


def test_other_outputs_are_left_alone() -> None:
    volumes = Volumes()
    weight = torch.ones(2).requires_grad_()
    for output in (
        X * weight,
        (X * weight, X),
        (X * weight, (X * weight).sum()),
        (X[:, :1] * weight, (X * weight)[:, 0]),
    ):
        volumes.add((X,), output)
    volumes.look((X * weight).sum())
    volumes.clear()
    assert volumes.result() is None
