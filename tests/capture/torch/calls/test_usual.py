"""Which passes without training are part of the loop."""

import sys

import pytest
import torch
from torch.nn import functional

from stetho.capture.torch.calls.usual import MOST_KNOWN, STEADY, Usual

from ..conftest import batch, column, mlp, sgd

X = (torch.zeros(1, 4),)


def come(usual, steps, args=X, times=1):
    """Passes from one line, so many in each of these steps; gives what was said of the last one."""
    return [usual.comes(sys._getframe(), args, {}, step) for step in steps for _ in range(times)][-1]


def test_a_pass_in_every_step_is_usual_after_a_while():
    usual = Usual()
    assert not come(usual, range(STEADY))
    assert come(usual, range(STEADY, STEADY + 5))


def test_some_steps_may_pass_without_it_and_not_many():
    assert come(Usual(), range(0, 4 * STEADY, 3))
    assert not come(Usual(), range(0, 40 * STEADY, 20)), "an evaluation after each epoch"


def test_another_line_another_size_and_many_more_passes_are_not_usual():
    usual = Usual()
    come(usual, range(2 * STEADY))
    assert not usual.comes(sys._getframe(), X, {}, 2 * STEADY)
    assert not come(usual, [2 * STEADY], (torch.zeros(9, 4),))
    assert come(usual, [2 * STEADY], times=2)
    assert not come(usual, [2 * STEADY + 1], times=5)


def test_lines_and_sizes_without_end_are_forgotten():
    usual = Usual()
    for size in range(3 * MOST_KNOWN):
        come(usual, [1], (torch.zeros(size, 4),))
    assert len(usual._known) <= MOST_KNOWN


@pytest.mark.parametrize(("acts", "most"), [(True, 200), (False, 5)])
def test_an_agent_that_acts_does_not_keep_us_awake(record, acts, most):
    model = mlp()
    optimizer = sgd(model)
    steps = 600
    modes = []

    def program():
        for step in range(steps):
            modes.append(torch._C._len_torch_function_stack())
            if acts or step == steps - 1:
                with torch.no_grad():
                    model(batch()[0][:1])
            functional.mse_loss(model(batch()[0]), torch.zeros(5, 2)).backward()
            optimizer.step()
            optimizer.zero_grad()

    run = record(program, model, optimizer, budget=1e-6, grace_steps=0, grace_seconds=0.0)
    assert 1 <= column(run, "phase", "batches").count("eval") <= most
    assert sum(modes[100:]) < 100, "what is made of its actions is not followed in our sleep"
