"""Leaves that a loss depends on."""

import torch

from stetho.capture.torch.losses import reach
from stetho.capture.torch.losses.reach import trainable_leaves


def leaf(**settings):
    return torch.ones(2, **{"requires_grad": True, **settings})


def test_finds_every_leaf_that_gets_a_gradient_and_each_once():
    a, b, frozen = leaf(), leaf(), leaf(requires_grad=False)
    loss = (a * b + a * frozen).sum() + a.sum()
    assert {id(one) for one in trainable_leaves(loss)} == {id(a), id(b)}


def test_what_was_detached_is_not_reached():
    a, b = leaf(), leaf()
    assert [one is b for one in trainable_leaves((a.detach() * b).sum())] == [True]


def test_a_loss_without_history_depends_on_nothing():
    assert trainable_leaves(torch.ones(())) == []


def test_a_graph_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(reach, "MOST_NODES", 10)
    a = leaf()
    loss = a
    for _ in range(50):
        loss = loss + 1
    assert trainable_leaves(loss.sum()) == []
