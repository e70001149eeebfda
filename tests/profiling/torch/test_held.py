"""What is held between steps, by layer."""

import torch

from stetho.capture.guard import Guard
from stetho.profiling.torch.held import held_by
from stetho.profiling.torch.scopes import Scopes

from .conftest import Net


def test_parameters_gradients_and_state_belong_to_their_layer(guard: Guard) -> None:
    model, scopes = Net(), Scopes(guard)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scopes.arm()
    try:
        model(torch.ones(2, 8)).sum().backward()
        optimizer.step()
        first, second = held_by(scopes, [optimizer])
    finally:
        scopes.remove()
    assert first.layer == scopes.number_of(0, "first")
    assert (first.parameters, first.gradients, first.state) == (4 * (8 * 16 + 16),) * 3
    assert second.parameters == 4 * (16 * 2 + 2)


def test_parameters_of_a_layer_that_is_never_called_belong_to_the_one_around_it(guard: Guard) -> None:
    model, scopes = Net(), Scopes(guard)
    model.unused = torch.nn.Linear(2, 1, bias=False)
    scopes.arm()
    try:
        model(torch.ones(2, 8))
        sizes = {each.layer: each for each in held_by(scopes, [])}
    finally:
        scopes.remove()
    assert sizes[0].parameters == 8
    assert sizes[0].gradients == 0
