"""Parts that may be lost alone: the others call them through the guard. What follows is in tests/promises."""

import torch

import stetho
from stetho.session import active


def test_parts_are_called_through_the_guard(tmp_path):
    with stetho.watch(torch.nn.Linear(2, 1), out=str(tmp_path), quiet=True):
        capture = active().capture
        looks = [capture._reading.views.look, capture._batches.relations.open, capture._autopsies.before_update]
        assert all(hasattr(look, "__wrapped__") for look in looks)
        # Whoever is told by a callback is called through the guard as well.
        assert capture._forward.on_begun is capture._optimizers.standing.called
