import pytest
import torch
import torch.nn.functional as functional
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from stetho.capture.torch.losses.by_hand import ByHand
from stetho.capture.torch.patches import Patches

MODEL = nn.Linear(6, 3)
INPUTS = torch.randn(8, 6, generator=torch.Generator().manual_seed(0))
LABELS = torch.tensor([0, 1, 2, 0, 1, 2, 0, 1])
MARKS = functional.one_hot(LABELS, 3)


def found(loss: Tensor, output: Tensor):  # type: ignore[no-untyped-def]
    return ByHand().find(loss, {output.grad_fn: output.detach()})


@pytest.mark.parametrize(
    "loss",
    [
        lambda output: -functional.log_softmax(output, 1)[torch.arange(8), LABELS].mean(),
        lambda output: -functional.log_softmax(output, 1).gather(1, LABELS[:, None]).mean(),
        lambda output: -torch.log(functional.softmax(output, 1) + 1e-9)[torch.arange(8), LABELS].mean(),
        lambda output: -(MARKS * functional.log_softmax(output, 1)).sum(1).mean(),
        lambda output: (output.logsumexp(1) - output.gather(1, LABELS[:, None])[:, 0]).mean(),
        lambda output: (torch.tensor([1.0, 0.0, 2.0])[LABELS] * (output.logsumexp(1) - output[range(8), LABELS])).sum(),
    ],
)
def test_finds_the_labels_of_a_choice(loss) -> None:  # type: ignore[no-untyped-def]
    output = MODEL(INPUTS)
    what = found(loss(output), output)
    assert what.call == "hand_written_choice"
    assert torch.equal(what.target, LABELS)


def test_finds_the_targets_of_a_difference() -> None:
    output, target = MODEL(INPUTS), torch.randn(8, 3)
    apart = output - target
    for loss in (apart**2, (target - output).square(), (target - output).abs(), apart * apart):
        what = found(loss.mean(), output)
        assert torch.allclose(what.target, target, atol=1e-6)
        assert what.reduction == "mean"


def test_says_when_it_is_no_mean() -> None:
    output = MODEL(INPUTS)
    assert found(((output - 1.0 * MARKS) ** 2).sum(), output).reduction == "other"


def test_a_term_of_several_is_booked_as_one() -> None:
    output = MODEL(INPUTS)
    assert found(((output - MARKS) ** 2).mean() + output.abs().mean(), output).call == "hand_written_term"


def test_finds_nothing_in_rewards_and_products_of_outputs() -> None:
    output = MODEL(INPUTS)
    chosen = functional.log_softmax(output, 1).gather(1, LABELS[:, None])[:, 0]
    assert found(-(chosen * torch.randn(8)).mean(), output) is None
    assert found(output.gather(1, LABELS[:, None]).mean(), output) is None
    assert found(((output - output.detach().mean()) ** 3).mean(), output) is None
    assert found(output.mean(), output) is None


def test_keeps_away_from_programs_that_save_tensors_in_their_own_way() -> None:
    patches, by_hand = Patches(), ByHand()
    by_hand.install(patches)
    try:
        output = checkpoint(MODEL, INPUTS.requires_grad_(), use_reentrant=False)
    finally:
        patches.undo()
    loss = ((output - MARKS) ** 2).mean()
    assert by_hand.find(loss, {output.grad_fn: output.detach()}) is None
    loss.backward()


def test_reading_leaves_the_gradients_as_they_are() -> None:
    gradients = []
    for looks in (False, True):
        MODEL.zero_grad()
        output = MODEL(INPUTS.detach())
        loss = ((output - MARKS) ** 2).mean()
        if looks:
            found(loss, output)
        loss.backward()
        gradients.append(MODEL.weight.grad.clone())
    assert torch.equal(*gradients)
