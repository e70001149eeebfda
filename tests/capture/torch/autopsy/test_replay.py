"""A step run again: bit for bit, and unnoticed."""

import random

import numpy
import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy.copied import Copies
from stetho.capture.torch.autopsy.kept import Kept
from stetho.capture.torch.autopsy.replay import Replay, joined, mapped, same
from stetho.capture.torch.autopsy.states import unnoticed
from stetho.capture.torch.autopsy.tape import TapeMode

X = torch.randn(8, 4, generator=torch.Generator().manual_seed(0))


def replayed(model, loss_of):
    kept = Kept(TapeMode(Guard(lambda _, text: pytest.fail(text))))
    kept.call_begins(model, "", (X,), {}, None)
    output = model(X)
    kept.call_ends(output, follow=True)
    loss = loss_of(output)
    kept.backward_begins(loss, None)
    loss.backward()
    with unnoticed(), Copies().put_back() as copies:
        replay = Replay(copies)
        replay.run(kept.events)
    kept.clear()
    return replay


def net():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 2))


def test_dropout_and_batch_norm_come_out_the_same():
    replay = replayed(net(), lambda out: functional.dropout(out, 0.3).square().mean())
    assert (replay.faithful, replay.rooted, replay.ends) == (True, True, [])


def test_nothing_of_the_program_changes():
    model = net()
    model.train()
    states = torch.get_rng_state(), random.getstate(), numpy.random.get_state()[1].tolist()
    with torch.random.fork_rng():
        replayed(model, lambda out: out.square().mean())
    values = {name: value.clone() for name, value in model.state_dict().items()}
    gradients = [parameter.grad.clone() for parameter in model.parameters()]
    replay_states = random.getstate(), numpy.random.get_state()[1].tolist()
    assert torch.equal(torch.get_rng_state(), states[0])
    assert replay_states == states[1:]
    assert int(values["1.num_batches_tracked"]) == 1
    assert all(torch.equal(parameter.grad, kept) for parameter, kept in zip(model.parameters(), gradients, strict=True))


def test_a_model_that_is_never_twice_the_same_is_told():
    class Restless(nn.Linear):
        def forward(self, x):
            return super().forward(x) * random.random()

    assert not replayed(Restless(4, 2), lambda out: out.mean()).faithful


def test_is_silent(capsys):
    class Talking(nn.Linear):
        def forward(self, x):
            print("hello")
            return super().forward(x)

    replayed(Talking(4, 2), lambda out: out.mean())
    assert capsys.readouterr().out == "hello\n"


def test_structures_keep_their_shape():
    x = torch.ones(1)
    assert mapped({"a": [x, (x, 3)]}, lambda tensor: tensor + 1) == {
        "a": [torch.tensor([2.0]), (torch.tensor([2.0]), 3)]
    }


def test_nan_is_the_same_as_nan():
    assert same(torch.tensor([float("nan")]), torch.tensor([float("nan")]))
    assert not same(torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float64))
    assert joined("a", "b") == "a.b"


def test_what_comes_between_the_loss_and_its_backward_pass_is_left_out():
    model = net()

    def loss_of(output):
        loss = output.square().mean()
        for parameter in model.parameters():
            parameter.grad = torch.ones_like(parameter)
        model.zero_grad(set_to_none=False)
        return loss

    replay = replayed(model, loss_of)
    assert (replay.rooted, replay.faithful) == (True, True)
