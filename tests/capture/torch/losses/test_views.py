from collections.abc import Callable
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from stetho.capture.torch.losses.views import Views

MODEL = nn.Linear(6, 4)
PASS = SimpleNamespace(entry=MODEL, place=None)


def views_of(first: Tensor, second: Tensor, loss: Callable[[Tensor, Tensor], Tensor]) -> tuple[object, object] | None:
    views = Views()
    one, other = MODEL(first), MODEL(second)
    views.add(PASS, first, one)  # type: ignore[arg-type]
    views.add(PASS, second, other)  # type: ignore[arg-type]
    views.look(loss(one, other))
    found = views.result()
    return found and (found["looks"], found["same"])


def in_batch(one: Tensor, other: Tensor) -> Tensor:
    return functional.cross_entropy(one @ other.T, torch.arange(8))


def stacked(one: Tensor, other: Tensor) -> Tensor:
    both = torch.cat([one, other])
    return (both @ both.T).logsumexp(1).mean()


@pytest.mark.parametrize("loss", [in_batch, stacked, functional.mse_loss, lambda a, b: -(a * b).sum(1).mean()])
def test_views_that_a_loss_compares_are_told_apart(loss: Callable[[Tensor, Tensor], Tensor]) -> None:
    x = torch.randn(8, 6)
    assert views_of(x, x.clone(), loss) == (1, 1)
    assert views_of(x, torch.randn(8, 6), loss) == (1, 0)


def test_a_batch_that_is_used_twice_for_two_terms_is_no_pair_of_views() -> None:
    x, y = torch.randn(8, 6), torch.randint(0, 4, (8,))
    assert views_of(x, x, lambda a, b: functional.cross_entropy(a, y) + 0.1 * b.square().mean()) is None


def test_both_views_may_be_halves_of_one_batch() -> None:
    x = torch.randn(4, 6)
    for batch, expected in ((torch.cat([x, x]), 1), (torch.randn(8, 6), None)):
        views = Views()
        z = MODEL(batch)
        views.add(PASS, batch, z)  # type: ignore[arg-type]
        views.look((z @ z.T).logsumexp(1).mean())
        found = views.result()
        assert (found and found["same"]) == expected


def test_a_sparse_input_has_no_halves() -> None:
    views, graph = Views(), torch.eye(8, 6).to_sparse()
    output = torch.sparse.mm(graph, MODEL.weight.T)
    views.add(PASS, graph, output)  # type: ignore[arg-type]
    views.look(output.sum())
    assert views.result() is None
