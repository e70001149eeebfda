"""Dropout that does not know of the mode of the model."""

import torch
from torch import nn
from torch.nn import functional

from stetho.capture.torch.probes.stuck_dropout import StuckDropout


def noted(call):
    stuck, before = StuckDropout(), functional.dropout
    with stuck.watching():
        call()
    assert functional.dropout is before
    return len(stuck.by_default), len(stuck.on_purpose)


def test_a_call_that_does_not_say_whether_it_trains_is_stuck():
    assert noted(lambda: functional.dropout(torch.ones(4), 0.5)) == (1, 0)
    assert noted(lambda: functional.dropout2d(torch.ones(1, 4, 2, 2))) == (1, 0)


def test_one_that_says_so_is_on_purpose():
    assert noted(lambda: functional.dropout(torch.ones(4), 0.5, True)) == (0, 1)


def test_what_drops_nothing_is_not_noted():
    assert noted(lambda: functional.dropout(torch.ones(4), 0.5, training=False)) == (0, 0)
    assert noted(lambda: functional.dropout(torch.ones(4), 0.0)) == (0, 0)
    assert noted(lambda: nn.Dropout(0.5).eval()(torch.ones(4))) == (0, 0)


def test_attention_has_a_rate_of_its_own():
    given = [torch.ones(1, 2, 3, 4)] * 3
    assert noted(lambda: functional.scaled_dot_product_attention(*given, dropout_p=0.1)) == (1, 0)
    assert noted(lambda: functional.scaled_dot_product_attention(*given)) == (0, 0)
