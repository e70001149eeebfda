import numpy as np
import pytest
import torch

from stetho.capture.torch.losses.left_out import LeftOut, places_that_count

KEPT = torch.tensor([[True, True, False], [True, False, False]])
WAYS = {
    "product": lambda losses: (losses * KEPT).sum() / KEPT.sum(),
    "mean of rows": lambda losses: ((losses * KEPT.float()).sum(1) / KEPT.sum(1)).mean(),
    "index": lambda losses: losses[KEPT].mean(),
    "numbers": lambda losses: losses.flatten()[KEPT.flatten().nonzero().squeeze(1)].mean(),
    "numbers from the end": lambda losses: losses.flatten()[torch.tensor([0, 1, -3])].mean(),
    "selection": lambda losses: losses.masked_select(KEPT).mean(),
    "filled": lambda losses: losses.masked_fill(~KEPT, 0.0).sum(),
    "where": lambda losses: torch.where(KEPT, losses, 0.0).sum(),
    "where not": lambda losses: torch.where(~KEPT, 0.0, losses).sum(),
}


@pytest.fixture
def losses():
    return torch.ones(2, 3, requires_grad=True)


@pytest.mark.parametrize("way", WAYS)
def test_finds_the_places_that_get_a_gradient(losses, way):
    loss = WAYS[way](losses)
    assert places_that_count(loss, 6).tolist() == KEPT.flatten().tolist()
    (gradient,) = torch.autograd.grad(loss, losses)
    assert ((gradient != 0) == KEPT).all()


@pytest.mark.parametrize(
    "of",
    [
        lambda x: x.mean(),
        lambda x: (x * 2.0).sum(),
        lambda x: x.mean() + x.sum(),
        lambda x: x[:1].sum(),
        lambda x: x[torch.tensor([1])].sum(),
    ],
)
def test_where_nothing_chooses_among_them_there_is_nothing_to_say(losses, of):
    assert places_that_count(of(losses), 6) is None


def test_a_mask_of_another_size_is_none(losses):
    assert places_that_count((losses * KEPT).sum(), 12) is None


def rule(labels, kept=KEPT):
    found = LeftOut()
    losses = torch.ones(kept.shape, requires_grad=True)
    found.look((losses * kept).sum(), np.array(labels))
    return found


def test_the_batch_that_was_masked_counts_where_it_was_kept():
    labels = np.array([1, 2, 2, 1, 2, 2])
    assert rule(labels).counting(labels, -100, many=True).tolist() == KEPT.flatten().tolist()
    assert rule(labels).counting(labels, -100, many=False).all()


def test_a_label_that_is_masked_and_nothing_else_stands_for_what_does_not_count():
    found = rule([1, 2, 0, 1, 0, 0])
    found.counting(np.zeros(6, int), None, many=True)
    assert found.counting(np.array([0, 3, 0]), None, many=True).tolist() == [False, True, False]


def test_of_a_batch_whose_mask_was_not_seen_nothing_counts():
    found = rule([1, 2, 2, 1, 2, 2])
    found.counting(np.zeros(6, int), None, many=True)
    assert found.counting(np.array([1, 2, 1]), None, many=True) is None
    assert found.counting(np.array([1, 2, 1]), None, many=False).all()


def test_looks_as_long_as_something_is_left_out():
    found, losses = LeftOut(), torch.ones(2, 3, requires_grad=True)
    for _ in range(50):
        assert found.wants_more
        found.look(losses.sum(), np.zeros(6, int))
    assert not found.wants_more
    assert rule([0] * 6).wants_more


def test_a_mask_that_was_changed_since_cannot_be_read():
    losses, mask = torch.ones(2, 3, requires_grad=True), KEPT.float()
    loss = (losses * mask).sum()
    mask.zero_()
    found = LeftOut()
    found.look(loss, np.zeros(6, int))
    assert found.counting(np.array([1, 2]), None, many=True).all()
