import pytest
import torch
from torch import Tensor
from torch.nn import functional

from stetho.capture.torch.losses.bare_graph import inputs_of, output_of, rows_chosen

X = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
W1, B1 = torch.randn(4, 5).requires_grad_(), torch.randn(5).requires_grad_()
W2, B2 = torch.randn(5, 3).requires_grad_(), torch.randn(3).requires_grad_()
TABLE = torch.randn(9, 4).requires_grad_()


def by_hand() -> Tensor:
    return torch.tanh(X @ W1 + B1) @ W2 + B2


def with_linear() -> Tensor:
    return functional.linear(functional.linear(X, W1.t(), B1).relu(), W2.t(), B2)


@pytest.mark.parametrize("net", [by_hand, with_linear])
def test_what_the_first_weight_is_multiplied_with_is_the_input(net) -> None:  # type: ignore[no-untyped-def]
    leaf, inputs = inputs_of(net().grad_fn)
    assert torch.equal(inputs, X)
    assert leaf is W1 or leaf is B1


@pytest.mark.parametrize("net", [by_hand, with_linear])
def test_the_output_is_the_last_operation_with_parameters(net) -> None:  # type: ignore[no-untyped-def]
    _, output = output_of(functional.cross_entropy(net(), torch.arange(6) % 3).grad_fn)
    assert torch.allclose(output, net().detach())


def test_tokens_are_found_behind_a_table() -> None:
    ids = torch.tensor([[1, 2], [3, 4], [5, 6]])
    for rows in (TABLE[ids], functional.embedding(ids, TABLE)):
        assert torch.equal(inputs_of((rows.mean(1) @ W1).grad_fn)[1], ids)


def test_the_places_of_a_sequence_are_put_together() -> None:
    state = torch.zeros(6, 5)
    for place in range(3):
        state = torch.tanh((X + place) @ W1 + state)
    inputs = inputs_of(state.grad_fn)[1]
    assert inputs.shape == (6, 3, 4)
    assert torch.equal(inputs[:, 0], X)


def test_a_choice_of_rows_is_read_off() -> None:
    index = torch.tensor([4, 1])
    assert torch.equal(rows_chosen(by_hand()[index], 6), index)
    assert rows_chosen(by_hand(), 6) is None


def test_nothing_is_found_without_parameters_or_data() -> None:
    assert inputs_of((W1.sum() * 2).grad_fn) is None
    assert output_of(torch.sin(W1).sum().grad_fn) is None
