"""Padding that samples bring along: the same filler at the end of rows of different lengths."""

from typing import Any

import torch
from numpy.typing import NDArray

from stetho.capture.torch.feed.padding import padded_positions


def trailing_padding(tokens: NDArray[Any]) -> tuple[int, float]:
    """How many positions of a batch of whole numbers [rows, positions] are padding, and what they are filled with.

    >>> import numpy as np
    >>> trailing_padding(np.array([[5, 6, 7, 8], [5, 6, 0, 0], [5, 0, 0, 0], [9, 8, 7, 0]]))
    (6, 0.0)
    """
    whole = torch.as_tensor(tokens.astype("int64"))
    padded = padded_positions(whole)
    return (int(padded.sum()), float(whole[padded][0])) if padded is not None else (0, 0.0)
