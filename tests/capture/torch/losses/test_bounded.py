"""Scores that cannot grow."""

import pytest
import torch
import torch.nn.functional as F

from stetho.capture.torch.losses.bounded import Bounded


def units(count):
    return F.normalize(torch.randn(count, 6, requires_grad=True), dim=1)


def read(loss):
    bounded = Bounded()
    bounded.look(loss)
    return bounded.result()


@pytest.mark.parametrize(
    ("scores", "bound"),
    [
        (lambda x, y: x @ y.T * 0.1, 0.1),
        (lambda x, y: x @ y.T / 0.1, 10.0),
        (lambda x, y: 0.1 * x @ (2 * y).T, 0.2),
        (lambda x, y: torch.tensor(0.5) * (x @ y.T), 0.5),
        (F.linear, 1.0),
        (lambda x, y: (x @ y.T / 2).masked_fill(torch.eye(5, 8).bool(), -1e9), 0.5),
        (lambda x, y: torch.einsum("id,jd->ij", x, y), 1.0),
    ],
)
def test_products_of_unit_vectors_are_known_with_their_scale(scores, bound):
    found = read(F.cross_entropy(scores(units(5), units(8)), torch.arange(5)))
    assert found == {"bound": pytest.approx(bound), "choices": 8}


def test_a_loss_by_hand_is_read_as_well():
    rows = torch.log_softmax(units(5) @ units(8).T * 0.1, 1)
    assert read(-rows[torch.arange(5), torch.arange(5)].mean())["choices"] == 8
    both = rows.mean() + torch.log_softmax(units(8) @ units(5).T * 0.1, 1).mean()
    assert read(-both / 2) is not None


def test_other_scores_have_no_bound():
    x, w = torch.randn(5, 6, requires_grad=True), torch.randn(8, 6, requires_grad=True)
    learnt = torch.tensor(2.0, requires_grad=True)
    for scores in (F.linear(x, w), F.linear(units(5), w), units(5) @ units(8).T * learnt.exp()):
        assert read(F.cross_entropy(scores, torch.arange(5))) is None
    assert read(x.sum()) is None
