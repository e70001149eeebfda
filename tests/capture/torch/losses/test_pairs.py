import pytest
import torch
from torch import Tensor
from torch.nn import functional

from stetho.capture.torch.losses.pairs import Pairs, distances_in
from stetho.capture.torch.losses.views import View

ANCHOR = torch.zeros(4, 2).requires_grad_()
NEAR, FAR = torch.ones(4, 2).requires_grad_(), torch.full((4, 2), 3.0).requires_grad_()


def squared(one: Tensor, other: Tensor) -> Tensor:
    return (one - other).pow(2).sum(1)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (lambda: torch.relu(squared(ANCHOR, NEAR) - squared(ANCHOR, FAR) + 0.5).mean(), (2.0, 18.0)),
        (lambda: (0.5 + squared(ANCHOR, NEAR) - squared(ANCHOR, FAR)).clamp(min=0).sum(), (2.0, 18.0)),
        (lambda: functional.softplus((ANCHOR - FAR).norm(dim=1) - (ANCHOR - NEAR).norm(dim=1)).mean(), (4.24, 1.41)),
        (lambda: functional.triplet_margin_loss(ANCHOR, NEAR, FAR), (1.41, 4.24)),
        (lambda: torch.relu((NEAR * ANCHOR).sum(1) - (NEAR * FAR).sum(1) + 1).mean(), (0.0, -6.0)),
    ],
)
def test_reads_both_distances_of_a_margin(loss, expected) -> None:  # type: ignore[no-untyped-def]
    assert distances_in(loss().grad_fn) == pytest.approx(expected, abs=0.01)


def test_finds_none_in_other_losses() -> None:
    for loss in (functional.mse_loss(ANCHOR, NEAR), squared(ANCHOR, NEAR).mean(), torch.relu(ANCHOR - NEAR).mean()):
        assert distances_in(loss.grad_fn) is None


def test_says_when_rows_were_chosen() -> None:
    for given, is_chosen in ((FAR, False), (FAR[torch.tensor([1, 1, 0, 2])], True)):
        pairs = Pairs()
        pairs.look(torch.relu(squared(ANCHOR, NEAR) - squared(ANCHOR, given) + 0.5).mean())
        assert pairs.result()["chosen"] is is_chosen
    assert Pairs().result() is None


def test_choices_among_samples_are_pairs_too() -> None:
    pairs = Pairs()
    scores = torch.full((4, 4), 0.5).fill_diagonal_(2.0)
    scores[0, 1] = -1e9
    pairs.contrast(scores, torch.arange(4))
    assert (pairs.result()["pulled"], pairs.result()["pushed"]) == ([-2.0], [-0.5])


def test_inputs_of_the_passes_are_compared_as_well() -> None:
    model = torch.nn.Linear(2, 2)
    given = (ANCHOR, NEAR, FAR)
    outputs = [model(x) for x in given]
    made = zip(given, outputs, strict=True)
    passes = [View(model, x.detach(), y.detach(), frozenset((y.grad_fn,)), None) for x, y in made]
    pairs = Pairs()
    pairs.look(torch.relu(squared(outputs[0], outputs[1]) - squared(outputs[0], outputs[2]) + 9).mean(), passes)
    assert (pairs.result()["pulled_inputs"], pairs.result()["pushed_inputs"]) == ([2.0], [18.0])
