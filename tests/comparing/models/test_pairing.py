"""Which places of two models belong together."""

import numpy as np
import torch
from torch import nn

from stetho.comparing.models.pairing import best_pair, partner
from stetho.comparing.models.trace import OPERATION, Site
from stetho.comparing.torch.capture import trace
from stetho.inspect.call import Call

X = torch.randn(3, 4, generator=torch.Generator().manual_seed(0)).double()


def test_nothing_alike_has_no_partner() -> None:
    found = trace(nn.Tanh(), Call((X,)), "a")
    other = trace(nn.ReLU(), Call((-X.abs(),)), "b")
    assert partner(other.sites[-1], found.sites[1:]) is None


def test_the_result_of_many_steps_belongs_to_the_one_step_that_gives_the_like() -> None:
    value = np.arange(6.0)
    fused = Site(1, OPERATION, "gelu", "", value, call=0)
    steps = [
        Site(1, OPERATION, "erf", "", -(value[::-1] ** 3), call=0),
        Site(2, OPERATION, "mul", "", value * 1.01, call=0),
    ]
    assert best_pair([fused], steps, [fused]) == (fused, steps[1])


def test_what_comes_later_in_the_first_model_is_no_partner_of_what_comes_first_in_the_second() -> None:
    start = Site(1, OPERATION, "pow", "norm", np.arange(6.0) ** 2, call=1)
    later = Site(9, OPERATION, "add", "", np.arange(6.0), call=0)
    sub = Site(1, OPERATION, "sub", "norm", np.arange(6.0) + 0.01, call=1)
    assert best_pair([start, later], [sub], [start]) == (start, sub)


def test_a_place_behind_a_mask_is_none_before_it() -> None:
    value, mask = np.arange(6.0), np.array([0, 0, 0, 0, -np.inf, -np.inf])
    before, behind = (
        Site(at, OPERATION, name, "", each, call=0) for at, name, each in ((1, "mul", value), (2, "add", value + mask))
    )
    assert partner(Site(1, OPERATION, "masked_fill", "", 2 * value + mask), [before, behind]) is behind
