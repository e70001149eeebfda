import pytest
import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from stetho.capture.torch.losses.by_hand import ByHand

MODEL = nn.Linear(6, 1)
INPUTS = torch.randn(8, 6, generator=torch.Generator().manual_seed(0))
T = torch.tensor([0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0])


def clamped(scores: Tensor) -> Tensor:
    p = scores.sigmoid().clamp(1e-6, 1 - 1e-6)
    return -(T * p.log() + (1 - T) * (1 - p).log()).mean()


def apart(scores: Tensor) -> Tensor:
    p = scores.sigmoid()
    return (-T * torch.log(p + 1e-8) - (1 - T) * torch.log(1 - p + 1e-8)).sum() / len(T)


def no_before_yes(scores: Tensor) -> Tensor:
    p = scores.sigmoid()
    return ((1 - T) * torch.log1p(-p) + T * p.log()).mean().neg()


def of_scores(scores: Tensor) -> Tensor:
    return -(T * functional.logsigmoid(scores) + (1 - T) * functional.logsigmoid(-scores)).mean()


def found(loss: Tensor, output: Tensor):  # type: ignore[no-untyped-def]
    return ByHand().find(loss, {output.grad_fn: output.detach()})


@pytest.mark.parametrize("formula", [clamped, apart, no_before_yes, of_scores])
def test_finds_the_targets_of_yes_and_no(formula) -> None:  # type: ignore[no-untyped-def]
    output = MODEL(INPUTS)
    what = found(formula(output[:, 0]), output)
    assert what.call == "hand_written_binary"
    assert what.target.tolist() == T.tolist()
    assert torch.allclose(what.predicted, output[:, 0].sigmoid(), atol=1e-5)


def test_finds_nothing_in_other_sums() -> None:
    output = MODEL(INPUTS)
    p, soft = output[:, 0].sigmoid(), torch.full((8,), 0.3)
    other = MODEL(INPUTS + 1)[:, 0].sigmoid()
    for loss in (
        -(soft * p.log() + (1 - soft) * (1 - p).log()).mean(),
        -(T * p.log() + T * (1 - p).log()).mean(),
        -(T * p.log() + (1 - T) * (1 - other).log()).mean(),
        -(p.log() + (1 - p).log()).mean(),
        (T * p.log() - (1 - T) * (1 - p).log()).mean(),
        (T * p + (1 - T) * (1 - p)).mean(),
    ):
        assert found(loss, output) is None


def test_reading_leaves_the_gradients_as_they_are() -> None:
    gradients = []
    for looks in (False, True):
        MODEL.zero_grad()
        output = MODEL(INPUTS)
        loss = clamped(output[:, 0])
        if looks:
            found(loss, output)
        loss.backward()
        gradients.append(MODEL.weight.grad.clone())
    assert torch.equal(*gradients)
