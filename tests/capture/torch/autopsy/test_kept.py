"""What is kept of a step, and for how long."""

import gc
import weakref

import pytest
import torch
from torch import nn

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy import kept as keeping
from stetho.capture.torch.autopsy.kept import BackwardCall, Kept, RootCall
from stetho.capture.torch.autopsy.tape import Tape, TapeMode


@pytest.fixture
def kept():
    made = Kept(TapeMode(Guard(lambda _, text: pytest.fail(text))))
    yield made
    made.clear()
    assert torch._C._len_torch_function_stack() == 0


class Chunked(nn.Linear):
    def forward(self, x):
        return super().forward(x).chunk(2, -1)


def call(kept, model, x, *, follow=True):
    kept.call_begins(model, "", (x,), {}, "train.py:3")
    output = model(x)
    kept.call_ends(output, follow=follow)
    return output


def test_a_step_is_a_call_a_tape_and_a_backward_pass(kept):
    loss = call(kept, nn.Linear(2, 1), torch.ones(3, 2)).square().mean()
    kept.backward_begins(loss, "train.py:5")
    assert [type(event) for event in kept.events] == [RootCall, Tape, BackwardCall]
    assert [op.func.__name__ for op in kept.events[1].ops] == ["square", "mean"]


def test_the_gradient_at_the_output_is_kept(kept):
    output = call(kept, nn.Linear(2, 1), torch.ones(3, 2))
    output.sum().backward()
    assert kept.events[0].gradients[0].tolist() == [[1.0]] * 3


def test_a_result_that_nobody_used_has_no_gradient(kept):
    halves = call(kept, Chunked(4, 2), torch.ones(3, 4))
    halves[0].sum().backward()
    assert list(kept.events[0].gradients) == [0]


def test_nothing_outlives_the_step(kept):
    x = torch.ones(3, 2)
    alive = weakref.ref(x)
    call(kept, nn.Linear(2, 1), x)
    kept.clear()
    del x
    gc.collect()
    assert alive() is None


def test_an_evaluation_in_between_is_left_out(kept):
    model, x = nn.Linear(2, 1), torch.ones(3, 2)
    output = call(kept, model, x)
    kept._mode.stop()
    with torch.no_grad():
        model(x)
    kept.resume()
    output.mean()
    kept.backward_begins(None, None)
    assert [op.func.__name__ for op in kept.events[1].ops] == ["mean"]


def test_large_outputs_are_not_kept(kept, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_BYTES", 4)
    call(kept, nn.Linear(2, 1), torch.ones(3, 2))
    assert (kept.events, kept.whole) == ([], False)


def test_of_very_many_calls_the_last_are_kept(kept, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_EVENTS", 4)
    for _ in range(4):
        call(kept, nn.Linear(2, 1), torch.ones(3, 2))
    assert ([type(event) for event in kept.events], kept.whole) == ([RootCall, Tape] * 2, False)


def test_of_large_batches_the_last_are_kept(kept, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_BYTES_OF_A_STEP", 60)
    model = nn.Linear(2, 1)
    for _ in range(4):
        loss = call(kept, model, torch.ones(3, 2)).mean()
        kept.backward_begins(loss, None)
    assert [type(event) for event in kept.events] == [RootCall, Tape, BackwardCall]
    assert not kept.whole


def test_programs_without_models_are_followed(kept):
    kept.follow()
    torch.ones(2).mul(2)
    kept.backward_begins(None, None)
    assert [op.func.__name__ for op in kept.events[0].ops][-1] == "mul"
