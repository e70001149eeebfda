"""A sequence that is learnt piece by piece, with and without a state."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.probes import stream

from ..conftest import sgd


class Follower(nn.Module):
    def __init__(self, **settings):
        super().__init__()
        self.rnn = nn.LSTM(2, 8, **settings)
        self.out = nn.Linear(8, 1)

    def forward(self, x, state=None):
        y, state = self.rnn(x, state)
        return self.out(y), state


def train_on_pieces(model, optimizer, data, axis=1, *, carry=False, shuffled=False):
    state = None
    for step in range(30):
        begin = 5 * (int(torch.randint(0, 30, ())) if shuffled else step)
        piece = data.narrow(axis, begin, 5)
        output, state = model(piece, state if carry else None)
        state = tuple(part.detach() for part in state)
        optimizer.zero_grad()
        functional.mse_loss(output, piece[..., :1]).backward()
        optimizer.step()


def followed(record, model, data, axis=1, **given):
    optimizer = sgd(model)
    run = record(lambda: train_on_pieces(model, optimizer, data, axis, **given), model, optimizer)
    return run.model["probes"]["calls"].get("stream")


@pytest.fixture(autouse=True)
def early(monkeypatch):
    monkeypatch.setattr(stream, "FIRST_LOOK", 10)


def test_losses_without_and_with_the_state_are_written_down(record):
    found = followed(record, Follower(batch_first=True), torch.randn(3, 200, 2))
    assert found["went_on"] == found["pieces"] >= 20
    assert len(found["without_state"]) == len(found["with_state"]) >= 3
    assert found["without_state"] != found["with_state"]
    assert found["line"].startswith(__file__)


def test_time_that_comes_first_is_known_by_the_layer(record):
    assert followed(record, Follower(), torch.randn(200, 3, 2), axis=0)["pieces"] >= 20
    rows = followed(record, Follower(batch_first=True), torch.randn(200, 3, 2), axis=0)
    assert rows is None


def test_pieces_in_any_order_and_models_without_state_are_left_alone(record):
    assert followed(record, Follower(batch_first=True), torch.randn(3, 200, 2), shuffled=True) is None


def test_the_program_sees_nothing_of_it(record):
    def trained(watched):
        torch.manual_seed(3)
        model = Follower(batch_first=True, dropout=0.2, num_layers=2)
        data = torch.randn(3, 200, 2)
        if watched:
            assert followed(record, model, data, carry=True) is not None
        else:
            train_on_pieces(model, sgd(model), data, carry=True)
        return [*model.state_dict().values(), torch.rand(3)]

    assert all(torch.equal(one, other) for one, other in zip(trained(False), trained(True), strict=True))
