"""Answers that do not count: those that a loss is told to ignore, and those that the program masks by itself."""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from stetho.capture.torch.losses.differences import RESHAPING, factor_of, name_of, way_down
from stetho.stats.arrays import array_of

Labels = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

REDUCING = (*RESHAPING, "Mean", "Sum", "Neg", "Div", "Mul", "Index", "MaskedSelect", "MaskedFill", "Where")
MOST_LOOKS = 50


class LeftOut:
    """What is known of the answers that a loss leaves out, where samples have many of them, as one for each token."""

    def __init__(self) -> None:
        self._ignored: int | None = None
        self._masked_label: int | None = None
        self._is_masked = False
        self._looks = 0
        self.kept: Mask | None = None

    @property
    def wants_more(self) -> bool:
        """Whether another loss is to be looked at: all of them, once one has left something out."""
        return self._is_masked or self._looks < MOST_LOOKS

    def told(self, ignored: int | None) -> None:
        """A loss function was called with this label to ignore."""
        self._ignored = self._ignored if ignored is None else ignored
        self.kept = None

    def look(self, loss: Tensor, labels: Labels) -> None:
        """A loss that was made of answers with these labels goes backward."""
        self._looks += 1
        try:
            kept = places_that_count(loss, len(labels))
        except RuntimeError:
            # What was changed in place since it was saved cannot be read.
            return
        if kept is None or kept.all():
            return
        self._is_masked, self.kept = True, kept
        masked = np.unique(labels[~kept])
        self._masked_label = int(masked[0]) if len(masked) == 1 and masked[0] not in labels[kept] else None

    def counting(self, labels: Labels, ignored: int | None, *, many: bool) -> Mask | None:
        """Which answers count; None where some do not, and nobody knows which. Many are those of one sample.

        >>> rule = LeftOut()
        >>> rule.told(0)
        >>> rule.counting(np.array([1, 2, 0, 0]), None, many=True).tolist()
        [True, True, False, False]
        """
        kept, self.kept = self.kept, None
        if many and kept is not None and len(kept) == len(labels):
            return np.asarray(kept & (labels != ignored))
        if many and self._is_masked:
            return None if self._masked_label is None else np.asarray(labels != self._masked_label)
        if many and ignored is None:
            # Compared by hand, and masked after that: what the loss leaves out counts nowhere.
            ignored = self._ignored
        return np.asarray(labels != ignored)


def places_that_count(loss: Tensor, count: int) -> Mask | None:
    """Which of so many losses, one for each answer, get a gradient; None where nothing chooses among them.

    >>> losses = torch.ones(4, requires_grad=True)
    >>> places_that_count((losses * torch.tensor([1.0, 1, 0, 0])).sum() / 2, 4).tolist()
    [True, True, False, False]
    """
    found: Tensor | None = None
    with torch.no_grad():
        for node in way_down(loss, REDUCING):
            kept = _kept_by(node, count)
            if kept is not None:
                found = kept if found is None else found & kept
    return None if found is None else array_of(found)


def _kept_by(node: Any, count: int) -> Tensor | None:
    """Which of so many numbers an operation hands on."""
    name = name_of(node)
    if name == "Mul":
        factor = factor_of(node)
        return factor.reshape(-1) != 0 if factor is not None and factor.numel() == count > 1 else None
    if name == "Index":
        chosen = node._saved_indices[0]
        is_all = chosen is not None and len(node._saved_indices) == 1
        return _indexed(chosen, tuple(node._saved_self_sym_sizes), count) if is_all else None
    mask: Tensor | None = getattr(node, "_saved_condition" if name == "Where" else "_saved_mask", None)
    if mask is None or mask.numel() != count:
        return None
    is_turned = name == "MaskedFill" or (name == "Where" and node.next_functions[0][0] is None)
    return ~mask.reshape(-1) if is_turned else mask.reshape(-1)


def _indexed(chosen: Tensor, sizes: tuple[int, ...], count: int) -> Tensor | None:
    """A mask of all numbers, or the places of some of them in one row."""
    if chosen.dtype is torch.bool:
        return chosen.reshape(-1) if chosen.numel() == count else None
    if sizes != (count,) or chosen.dim() != 1 or len(chosen) >= count:
        return None
    kept = torch.zeros(count, dtype=torch.bool, device=chosen.device)
    kept[chosen] = True
    return kept
