"""Copies that make targets, and whether they move."""

import copy

import torch
from torch import nn

from stetho.capture.guard import Guard
from stetho.capture.torch.models.ancestry import Ancestry
from stetho.capture.torch.models.models import Models
from stetho.capture.torch.updates.lagging import Lagging
from stetho.capture.torch.updates.standing import Standing

STEPS = 40


class Training:
    """A model of two layers that is moved at random, and what its copy is asked."""

    def __init__(self, other=None, *, trained_before=False):
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(8, 64), nn.Linear(64, 2))
        if trained_before:
            self.model[0].weight.data += 0.3 * torch.ones(64, 1) @ torch.randn(1, 8)
        self.copy = copy.deepcopy(self.model) if other is None else other
        models = Models(Ancestry(Guard(lambda *_: None)))
        models.adopt(self.model)
        self.lagging = Lagging(models)
        self.standing = Standing(self.lagging)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def run(self, asked, renewed=lambda _: None):
        way = [torch.randn_like(p) for p in self.model.parameters()]
        for step in range(STEPS):
            batch = torch.randn(16, 8)
            self.standing.called(0, self.model, (batch,), {}, step, has_gradients=True)
            for each in asked(batch):
                self.standing.called(1, self.copy, (each,), {}, step, has_gradients=False)
            self.lagging.before_update(self.optimizer)
            with torch.no_grad():
                for parameter, direction in zip(self.model.parameters(), way, strict=True):
                    parameter.add_(direction, alpha=0.01)
            renewed(self)
        return self.standing.result()


def other_samples(batch):
    return [torch.randn_like(batch)]


def test_a_copy_that_is_asked_about_other_samples_and_never_moves_is_found():
    found = Training().run(other_samples)
    assert (found["model"], found["trained"]) == (1, 0)
    assert found["looks"] > 8
    assert found["last"] > 0.8 * STEPS
    assert found["way"] > 0.1


def test_a_copy_that_follows_even_a_little_is_not():
    def average(training):
        with torch.no_grad():
            for slow, quick in zip(training.copy.parameters(), training.model.parameters(), strict=True):
                slow.lerp_(quick, 0.01)

    assert Training().run(other_samples, average) is None


def test_a_teacher_is_asked_about_the_same_samples_or_was_trained_before_or_is_another():
    assert Training().run(lambda batch: [batch]) is None
    assert Training(trained_before=True).run(other_samples) is None
    assert Training(nn.Sequential(nn.Linear(8, 64), nn.Linear(64, 2))).run(other_samples) is None
    assert Training(nn.Linear(8, 2)).run(other_samples) is None


def test_a_copy_that_plays_or_is_asked_the_same_each_time_makes_no_targets():
    probe = torch.randn(16, 8)
    assert Training().run(lambda _: [probe]) is None
    assert Training().run(lambda _: [torch.randn(1, 8)]) is None
    assert Training().run(lambda batch: [torch.randn_like(batch) for _ in range(5)]) is None


def test_inputs_that_are_no_tensors_are_left_out():
    assert Training().run(lambda _: ["text", torch.tensor(1.0)]) is None


def test_nothing_is_known_of_a_step_that_is_forgotten():
    training = Training()
    training.standing.called(1, training.copy, (torch.randn(16, 8),), {}, 1, has_gradients=False)
    training.standing.clear()
    training.standing.called(1, training.copy, (torch.randn(16, 8),), {}, 2, has_gradients=False)
    assert training.standing.result() is None


def test_a_copy_that_is_renewed_now_and_then_is_known_to_follow():
    def renew(training):
        if training.standing._step % 5 == 0:
            training.copy.load_state_dict(training.model.state_dict())

    training = Training()
    assert training.run(other_samples, renew) is None
    assert training.standing.following()["model"] == 1
    assert training.standing.following()["looks"] > 8


def test_what_never_moves_or_sees_the_same_samples_or_is_asked_now_and_then_follows_nobody():
    def renew(training):
        training.copy.load_state_dict(training.model.state_dict())

    asked = iter(range(STEPS))
    for samples, renewed in (
        (other_samples, lambda _: None),
        (lambda batch: [batch], renew),
        (lambda batch: other_samples(batch) if next(asked) % 6 == 0 else [], renew),
    ):
        training = Training()
        training.run(samples, renewed)
        assert training.standing.following() is None
