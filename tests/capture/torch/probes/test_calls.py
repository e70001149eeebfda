"""What the answers of a model depend on, besides their inputs."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy.kept import RootCall
from stetho.capture.torch.autopsy.states import random_states
from stetho.capture.torch.models.initialised import Initialised
from stetho.capture.torch.probes.calls import Calls


class Net(nn.Module):
    """A layer, and something done to what it is given."""

    def __init__(self, change=lambda x: x):
        super().__init__()
        self.layer = nn.Linear(4, 3)
        self.change = change
        self.state = None

    def forward(self, x):
        return self.layer(self.change(x))


class Carrying(Net):
    def forward(self, x):
        self.state = x.sum() if self.state is None else self.state + 1
        return self.layer(x) + self.state * x[:, :3]


class Redrawing(Net):
    def forward(self, x):
        nn.init.normal_(self.layer.weight)
        return self.layer(x)


class Bounded(Net):
    def forward(self, x):
        with torch.no_grad():
            self.layer.weight.clamp_(-0.1, 0.1)
        return self.layer(x)


def tried(model, x=None, *beside):
    torch.manual_seed(0)
    x = torch.randn(8, 4) if x is None else x
    call = RootCall(model, "", (x, *beside), {}, None, True, True, random_states(), ())
    return Calls(model, call, 10.0, Initialised(Guard(lambda *_: None))).run()


def test_a_plain_model_depends_on_nothing_else():
    found = tried(Net())
    assert (found["repeated"], found["random"], found["others"]) == (0.0, 0.0, 0.0)
    assert (found["rewritten"], found["state"], found["dropouts"]) == ([], [], [])
    assert (found["samples"], found["aligned"]) == (8, True)


@pytest.mark.parametrize(
    "change", [lambda x: x - x.mean(0), lambda x: x.view(4, 8).T.reshape(8, 4), lambda x: x.softmax(0)]
)
def test_samples_that_are_mixed_move_with_the_others(change):
    assert tried(Net(change))["others"] > 0.01


def test_a_model_that_keeps_a_state_answers_otherwise_the_second_time():
    found = tried(Carrying())
    assert found["repeated"] > 0.01
    assert found["state"] == ["state"]


def test_parameters_that_a_call_draws_anew_are_told_from_those_it_bounds():
    found = tried(Redrawing())
    assert found["redrawn"] == ["layer.weight"]
    assert "test_calls.py" in found["redrawn_at"]
    found = tried(Bounded())
    assert (found["rewritten"], found["redrawn"]) == (["layer.weight"], [])


def test_dropout_that_does_not_know_the_mode_is_random_in_evaluation():
    found = tried(Net(lambda x: functional.dropout(x)))  # looked up when it is called
    assert found["random"] > 0.01
    assert len(found["dropouts"]) == 1
    assert tried(Net(nn.Dropout(0.5)))["random"] == 0.0


def test_answers_that_are_no_numbers_tell_nothing():
    assert tried(Net(lambda x: x / 0)) == "the output of the model is no finite tensor"


def test_a_model_that_takes_long_is_called_once_only():
    call = RootCall(Net(), "", (torch.ones(8, 4),), {}, None, True, True, random_states(), ())
    assert "a call takes" in Calls(Net(), call, 0.0, Initialised(Guard(lambda *_: None))).run()


class Echoing(nn.Module):
    """A decoder that reads the targets: each at its own place, or the one before."""

    def __init__(self, late):
        super().__init__()
        self.table, self.late = nn.Embedding(20, 5), late

    def forward(self, source, target):
        given = functional.pad(target[:, :-1], (1, 0)) if self.late else target
        return self.table(given) + self.table(source).mean(1, keepdim=True)


@pytest.mark.parametrize("late", [False, True])
def test_a_decoder_that_reads_its_target_is_told_from_one_that_reads_the_one_before(late):
    source, target = (torch.randint(0, 20, (8, 9), generator=torch.Generator().manual_seed(n)) for n in (1, 2))
    found = tried(Echoing(late), source, target)
    assert found["future_of_1"] == 0
    assert (found["at_future_of_1"] > 0.1) is not late


def test_positions_that_are_counted_along_the_batch_move_answers_with_their_row():
    table = torch.randn(64, 4)
    assert tried(Net(lambda x: x + table[: len(x)]))["placed"] > 0.01
    for change in (lambda x: x, lambda x: x + table[0]):
        assert tried(Net(change))["placed"] == 0.0


class Weighing(Net):
    def forward(self, x, lengths):
        return self.layer(x) * torch.as_tensor(lengths).float()[:, None]


def test_lengths_in_a_list_would_stay_where_they_are_while_the_rows_are_turned():
    lengths = list(range(8, 0, -1))
    for given in (lengths, tuple(lengths), torch.tensor(lengths).numpy()):
        assert "placed" not in tried(Weighing(), None, given)
    assert tried(Weighing(), None, torch.tensor(lengths))["placed"] == 0.0
