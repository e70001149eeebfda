"""Weights of attention are compared with the padding of what a model is given."""

import pytest
import torch
from torch import nn

from stetho.capture.torch.models.attended import Attended, is_blind
from stetho.capture.torch.models.operations import fact_of

LENGTHS = torch.tensor([3, 5, 6, 2, 4, 8])
REAL = torch.arange(8) < LENGTHS[:, None]
IDS = torch.where(REAL, torch.arange(3, 11), 0)


def weights(visible):
    return visible.float().log().softmax(-1).nan_to_num(0.0)


@pytest.mark.parametrize("shape", [(6, 8), (6, 8, 8), (6, 2, 8, 8)])
def test_a_mask_the_wrong_way_round_is_told_from_the_right_one(shape):
    def seen(visible):
        rows = weights(visible).view(6, *[1] * (len(shape) - 2), 8).expand(shape)
        return is_blind(Attended([IDS]).shares(rows))

    assert seen(~REAL)
    assert not seen(REAL)
    assert not seen(torch.ones_like(REAL))


def test_heads_may_be_joined_with_the_samples_and_places_may_come_first():
    rows = weights(~REAL).view(6, 1, 1, 8).expand(6, 4, 8, 8).reshape(24, 8, 8)
    assert is_blind(Attended([IDS]).shares(rows))
    assert is_blind(Attended([IDS.T.contiguous()]).shares(rows))


def test_rows_of_numbers_are_filled_up_as_well():
    numbers = torch.randn(6, 8, 3) * REAL[..., None]
    assert is_blind(Attended([{"x": numbers}]).shares(weights(~REAL)))


def test_a_token_before_the_others_may_be_seen():
    visible = nn.functional.pad(~REAL, (1, 0), value=True)
    assert is_blind(Attended([IDS]).shares(weights(visible)))


def test_of_several_inputs_one_may_be_hidden_from_the_attention_to_another():
    other = torch.where(~REAL.flip(1), torch.arange(3, 11), 0)
    assert not is_blind(Attended([IDS, other.flip(1)]).shares(weights(REAL)))


def test_nothing_is_said_without_padding_or_where_sizes_do_not_fit():
    assert Attended([torch.randint(1, 9, (6, 8))]).shares(weights(~REAL)) == {}
    assert Attended([IDS]).shares(torch.ones(6, 5)) == {}
    assert Attended([IDS]).shares(torch.ones(5, 8)) == {}


def test_the_mask_of_a_fused_attention_is_looked_through():
    x = torch.randn(6, 2, 8, 4, requires_grad=True)
    for mask in (~REAL, REAL):
        output = nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask[:, None, None])
        fact = fact_of(output.grad_fn, Attended([IDS]), reads=True)
        assert fact is not None
        assert is_blind(fact) is not bool(mask[0, 0])
