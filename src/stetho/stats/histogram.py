"""The log2 histogram: how many elements lie in each power of two, by sign. The buckets are always the same."""

import torch
from torch import Tensor

LOWEST = -64
HIGHEST = 63
SIDE = HIGHEST - LOWEST + 1
SAMPLE = 1 << 18
"""A larger tensor is sampled at a regular stride; the counts then sum up to the sample's size."""

_FLOATS = (torch.float32, torch.float64)


def log2_histogram(tensor: Tensor) -> Tensor:
    """Counts on the tensor's device: negatives from large to small, zeros, positives from small to large; finite only.

    >>> counts = log2_histogram(torch.tensor([-4.0, 0.0, 0.5, 1.5]))
    >>> counts.sum().item(), counts[SIDE].item(), counts[SIDE + 1 + (0 - LOWEST)].item()
    (4, 1, 1)
    """
    flat = tensor.detach().reshape(-1)
    if flat.numel() > SAMPLE:
        flat = flat[:: -(-flat.numel() // SAMPLE)]
    if flat.dtype not in _FLOATS:
        flat = flat.to(torch.float32 if flat.is_floating_point() else torch.float64)
    flat = flat[torch.isfinite(flat)]
    # frexp gives a mantissa in [0.5, 1), so its exponent is one above floor(log2).
    exponent = torch.frexp(flat).exponent.long().sub_(1).clamp_(LOWEST, HIGHEST) - LOWEST
    sign = torch.sign(flat).long()
    return torch.bincount(SIDE + sign * (exponent + 1), minlength=2 * SIDE + 1).to(torch.int32)
