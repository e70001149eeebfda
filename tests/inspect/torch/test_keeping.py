"""Tests of what is kept for the backward pass."""

import weakref

import torch
from torch import Tensor, nn

from stetho.inspect.call import Call
from stetho.inspect.torch.recording import record


class Force(nn.Module):
    """Gives the gradient of its own energy, as models of molecules do."""

    def __init__(self) -> None:
        super().__init__()
        self.energy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, places: Tensor) -> Tensor:
        places = places.detach().requires_grad_()
        (found,) = torch.autograd.grad(self.energy(places).sum(), places, create_graph=True)
        return -found


class Remembering(nn.Module):
    """Tells which of its results is still alive at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(4))
        self.alive: list[bool] = []

    def forward(self, x: Tensor) -> Tensor:
        results = []
        for layer in self.layers:
            x = torch.exp(layer(x))
            results.append(weakref.ref(x))
        alive[:] = [each() is not None for each in results]
        return x


alive: list[bool] = []


def test_a_model_with_a_backward_pass_of_its_own_is_recorded_whole() -> None:
    model = Force()
    found = record(model, Call((torch.randn(5, 3),)))
    assert found.failure is None
    assert [each.name for each in found.operations].count("linear") == 2
    assert found.operations[-1].name == "neg"


def test_one_that_swallows_the_error_of_its_backward_pass_is_recorded_whole_too() -> None:
    class Careful(Force):
        def forward(self, places: Tensor) -> Tensor:
            try:
                return super().forward(places)
            except RuntimeError:
                return places

    assert record(Careful(), Call((torch.randn(5, 3),))).operations[-1].name == "neg"


def test_results_are_let_go_where_nobody_runs_a_backward_pass() -> None:
    record(Remembering(), Call((torch.randn(2, 4),)))
    assert alive == [False, False, False, True]
    record(Remembering(), Call((torch.randn(2, 4),)), on_operation=print)
    assert alive[-1]


def test_every_storage_counts_although_its_address_is_free_again() -> None:
    model = nn.Sequential(*(layer for _ in range(6) for layer in (nn.Linear(64, 64), nn.Tanh())))
    saved = [each.saved for each in record(model, Call((torch.randn(32, 64),))).operations]
    kept = [each.saved for each in record(model, Call((torch.randn(32, 64),)), on_operation=lambda _: None).operations]
    assert saved == kept == [32 * 64 * 4] * 2 + [0, 32 * 64 * 4] * 5


def test_views_of_a_parameter_are_not_counted() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.randn(4, 6))

        def forward(self, x: Tensor) -> Tensor:
            return x @ self.weight.t()

    operations = record(Tied(), Call((torch.randn(2, 6, requires_grad=True),))).operations
    assert sum(each.saved for each in operations) == 2 * 6 * 4
