"""Whether a weight still is as it was made by chance: nobody trained or loaded it."""

from math import sqrt

import torch
from torch import Tensor

FEWEST, MOST = 32, 1 << 22
"""Few values show no distribution; many are not worth the time."""
FEWEST_NORMAL = 1024
"""What was trained may look like a bell as well, save for many values."""
ROWS, COLUMNS = 512, 64
EVEN, BELL = 1.8, 3.0
"""The fourth moment over the square of the second: of evenly spread values, and of a normal distribution."""


def is_as_made(weight: Tensor) -> bool:
    """Whether values are spread evenly around zero, or normally, and none has to do with any other.

    >>> is_as_made(torch.nn.GRU(20, 30).weight_ih_l0), is_as_made(torch.nn.Embedding(100, 20).weight)
    (True, True)
    >>> is_as_made(torch.eye(20)), is_as_made(torch.randn(100, 3) @ torch.randn(3, 20))
    (False, False)
    """
    if weight.dim() < 2 or not FEWEST <= weight.numel() <= MOST or not weight.is_floating_point():
        return False
    with torch.no_grad():
        values = weight.detach().float()
        count, spread = values.numel(), float(values.std())
        if not spread > 0 or abs(float(values.mean())) > 4 * spread / sqrt(count):
            return False
        fourth = float((values / spread).pow(4).mean())
        is_even = abs(spread * sqrt(3) / float(values.abs().max()) - 1) < 3 / sqrt(count) + 2 / count
        is_bell = count >= FEWEST_NORMAL and abs(fourth - BELL) < 4 * sqrt(24 / count)
        return ((is_even and abs(fourth - EVEN) < 6 / sqrt(count)) or is_bell) and _has_no_order(values.flatten(1))


def _has_no_order(values: Tensor) -> bool:
    """Whether columns (or rows, if those are more) are related no more than by chance: what was learnt is."""
    table = (values if values.shape[0] >= values.shape[1] else values.T)[:ROWS, :COLUMNS]
    rows, columns = table.shape
    if rows < 8 or columns < 2:
        return True
    related = torch.corrcoef(table.T)
    apart = related[~torch.eye(columns, dtype=torch.bool, device=related.device)]
    chance = 1 / sqrt(rows - 1)
    return bool(apart.square().mean().sqrt() < chance * (1.2 + 1 / columns))
