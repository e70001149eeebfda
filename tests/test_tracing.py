"""`stetho.trace()` as a context manager."""

import pytest
import torch
from torch import nn

import stetho


def test_names_layers_of_the_model_that_is_given():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    with stetho.trace(model) as traced, torch.no_grad():
        model(torch.ones(1, 2)).log()
    assert {row["layer"] for row in traced.operations} >= {"0", "1"}


def test_printed_it_shows_where_it_began():
    with stetho.trace() as traced:
        torch.zeros(2).log().sum()
    assert "log(0) = -inf at [0] is where it began" in str(traced)


def test_a_mask_written_in_the_block_and_taken_in_is_no_birth():
    with stetho.trace() as traced:
        torch.tensor([[0.0, -torch.inf]]).softmax(1)
    assert traced.births == []
    with stetho.trace() as traced:
        torch.tensor([0.0, torch.nan]) + 1
    assert [birth["phase"] for birth in traced.births] == ["outside"]


def test_an_error_in_the_block_is_the_program_s_own():
    traced = stetho.trace()

    def block():
        with traced:
            torch.ones(1).add(1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        block()
    assert traced.operations[-1]["operation"] == "add"
    assert torch.utils._python_dispatch._len_torch_dispatch_stack() == 0
