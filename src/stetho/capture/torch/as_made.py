"""Whether a weight still is what its layer made of it by chance: nobody trained or loaded it."""

from math import sqrt

import torch
from torch import Tensor

FEWEST, MOST = 32, 1 << 22
"""Few values show no distribution; many are not worth the time."""


def is_as_made(weight: Tensor) -> bool:
    """Whether values are spread evenly up to one over the root of the inputs, as linear layers and convolutions begin.

    >>> is_as_made(torch.nn.Linear(20, 30).weight), is_as_made(torch.randn(30, 20))
    (True, False)
    """
    if weight.dim() < 2 or not FEWEST <= weight.numel() <= MOST or not weight.is_floating_point():
        return False
    with torch.no_grad():
        bound = 1 / sqrt(weight[0].numel())
        values = weight.detach().float()
        largest, spread = float(values.abs().max()) / bound, float(values.std()) * sqrt(3) / bound
        return 0.9 < largest < 1.001 and abs(spread - 1) < 3 / sqrt(weight.numel())
