"""A module that is called from outside is followed once, with hooks of ours on it only where they are needed."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.calls import layer_hooks

from ..conftest import mlp, sgd, train

needs_native = pytest.mark.skipif(layer_hooks.LayerCalls is None, reason="the native kernel was not built")


class OwnWay(nn.Linear):
    """Has a way of its own to be called."""

    def __call__(self, *args, **kwargs):
        return super().__call__(*args, **kwargs)


def forwards(run):
    return run.table("steps")["forwards"].to_pylist()


@needs_native
def test_a_model_has_no_hooks_of_ours_while_it_is_watched(record):
    model = mlp()
    optimizer, found = sgd(model), []

    def program():
        train(model, optimizer, 3)
        found.append((len(model._forward_hooks), len(model._forward_pre_hooks)))

    run = record(program, model, optimizer, every=1)
    assert found == [(0, 0)]
    assert forwards(run) == [1, 1, 1]


def test_a_model_whose_class_has_its_own_way_to_be_called_is_followed(record):
    model = OwnWay(4, 2)
    optimizer = sgd(model)
    run = record(lambda: train(model, optimizer, 3), model, optimizer, every=1)
    assert forwards(run) == [1, 1, 1]
    assert run.values("act.rms", "")[0].tolist() == [1, 2, 3]


def test_where_the_program_compiles_later_its_model_is_followed_on(record):
    model = mlp()
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 2)
        torch.compile(torch.sin, backend="eager")
        train(model, optimizer, 2)

    run = record(program, model, optimizer, every=1)
    assert forwards(run) == [1, 1, 1, 1]


def test_a_pass_that_raises_is_over_before_the_next(record):
    model = mlp()
    optimizer = sgd(model)

    def program():
        train(model, optimizer, 2)
        with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
            model(torch.zeros(1, 7))
        optimizer.zero_grad()
        train(model, optimizer, 2)

    run = record(program, model, optimizer, every=1)
    assert run.info["capture_error"] is None
    assert forwards(run)[-1] == 1


def test_a_watch_that_ends_inside_of_a_pass_leaves_the_call_as_it_is():
    import stetho

    class Ending(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(4, 2)

        def forward(self, x):
            watching.stop()
            return self.inner(x)

    model = Ending()
    x = torch.randn(3, 4)
    wanted = model.inner(x)
    watching = stetho.watch(model, sgd(model), quiet=True)
    assert torch.equal(model(x), wanted)
    assert torch.equal(model(x), wanted)


def test_keywords_of_a_call_reach_the_model_and_the_batch(record):
    class Named(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(4, 2)

        def forward(self, *, x):
            return self.inner(x)

    model = Named()
    optimizer = sgd(model)

    def program():
        for _ in range(2):
            optimizer.zero_grad()
            model(x=torch.randn(5, 4)).mean().backward()
            optimizer.step()

    run = record(program, model, optimizer, every=1)
    assert run.table("batches")["size"].to_pylist() == [5, 5]
