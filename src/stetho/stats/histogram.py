"""The log2 histogram: how many elements lie in each power of two, by sign. The buckets are always the same."""

import numpy as np
import torch
from torch import Tensor

from stetho.stats.arrays import array_of

LOWEST = -64
HIGHEST = 63
SIDE = HIGHEST - LOWEST + 1
SAMPLE = 1 << 18
"""A larger tensor is sampled at a regular stride; the counts then sum up to the sample's size."""

_FLOATS = (torch.float32, torch.float64)

_EXPONENTS = np.clip(np.arange(1, 255) - 127, LOWEST, HIGHEST) - LOWEST
"""For each exponent of 32 bits that stands for a usual number its place on one side of the histogram."""


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
    if flat.is_cpu and flat.dtype is torch.float32:
        return torch.from_numpy(_by_bits(array_of(flat.contiguous()).view(np.uint32)))
    flat = flat[torch.isfinite(flat)]
    # frexp gives a mantissa in [0.5, 1), so its exponent is one above floor(log2).
    exponent = torch.frexp(flat).exponent.long().sub_(1).clamp_(LOWEST, HIGHEST) - LOWEST
    sign = torch.sign(flat).long()
    return torch.bincount(SIDE + sign * (exponent + 1), minlength=2 * SIDE + 1).to(torch.int32)


def _by_bits(bits: "np.ndarray[tuple[int], np.dtype[np.uint32]]") -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    """The same of 32-bit numbers by their bits, ten times faster: sign and exponent are the first nine of them."""
    counted = np.bincount(bits >> 23, minlength=512)
    zeros = bits.size - np.count_nonzero(bits & 0x7FFFFFFF)
    found = np.zeros(2 * SIDE + 1, np.int32)
    for side, places in ((counted[:256], SIDE + 1 + _EXPONENTS), (counted[256:], SIDE - 1 - _EXPONENTS)):
        np.add.at(found, places, side[1:255])
    # An exponent of zero is that of zeros and of numbers below all usual ones.
    tiny = bits[bits & 0x7F800000 == 0] if zeros < counted[0] + counted[256] else bits[:0]
    found[SIDE] = zeros
    found[SIDE + 1] += np.count_nonzero((tiny > 0) & (tiny < 0x80000000))
    found[SIDE - 1] += np.count_nonzero(tiny > 0x80000000)
    return found
