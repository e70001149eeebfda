"""Functions in small steps compute what they compute in one."""

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from stetho.comparing.torch.opened import attention, opened, recurrent


@pytest.mark.parametrize("how", ["plain", "causal", "mask", "added", "blind", "grouped"])
def test_attention_is_the_same(how: str) -> None:
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 4, 5, 8) for _ in range(3))
    options: dict[str, object] = {}
    if how == "causal":
        options["is_causal"] = True
    if how == "mask":
        options["attn_mask"] = torch.rand(5, 5) > 0.3
    if how == "added":
        options["attn_mask"] = torch.randn(5, 5)
    if how == "blind":
        options["attn_mask"] = torch.ones(5, 5, dtype=torch.bool).tril(-1)
    if how == "grouped":
        k, v, options["enable_gqa"] = k[:, :2], v[:, :2], True
    expected = F.scaled_dot_product_attention(q, k, v, **options)
    assert torch.allclose(attention(q, k, v, **options), expected, atol=1e-5)


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU, nn.RNN])
@pytest.mark.parametrize("options", [{}, {"bidirectional": True, "num_layers": 2}, {"bias": False}])
def test_recurrent_networks_are_the_same(kind: type[nn.RNNBase], options: dict[str, object]) -> None:
    torch.manual_seed(0)
    model = kind(3, 4, batch_first=True, **options)
    x = torch.randn(2, 5, 3)
    count = model.num_layers * (2 if model.bidirectional else 1)
    states = tuple(torch.zeros(count, 2, 4) for _ in range(2 if kind is nn.LSTM else 1))
    name = {nn.LSTM: "lstm", nn.GRU: "gru", nn.RNN: "rnn_tanh"}[kind]
    args = (x, states, model._flat_weights, model.bias, model.num_layers, 0.0, False, model.bidirectional, True)
    expected = model(x)
    got = recurrent(name, args)
    assert torch.allclose(got[0], expected[0], atol=1e-6)
    end = expected[1][0] if kind is nn.LSTM else expected[1]
    assert torch.allclose(got[1], end, atol=1e-6)


def test_dropout_gives_what_it_takes() -> None:
    x = torch.ones(3)
    given = opened(F.dropout, (x,), {"p": 0.9})
    assert given is not None
    assert given() is x


def test_what_is_one_step_stays_one() -> None:
    assert opened(torch.relu, (torch.ones(3),), {}) is None


def test_a_product_with_an_added_mask_is_two_steps() -> None:
    torch.manual_seed(0)
    mask, q, k = torch.randn(2, 3, 4), torch.randn(2, 3, 5), torch.randn(2, 5, 4)
    for options in ({}, {"beta": 0.5, "alpha": 2}):
        steps = opened(torch.baddbmm, (mask, q, k), options)
        assert steps is not None
        assert torch.allclose(steps(), torch.baddbmm(mask, q, k, **options), atol=1e-6)


def test_a_mask_that_is_not_used_at_all_is_left_to_torch() -> None:
    nothing = torch.full((1, 2, 2), torch.nan)
    assert opened(torch.baddbmm, (nothing, torch.ones(1, 2, 2), torch.ones(1, 2, 2)), {"beta": 0}) is None
