"""Pieces of a longer sequence: the memory of a tensor tells whether it begins where the last one ended."""

from dataclasses import dataclass

import torch
from torch import Tensor

MOST_PIECES = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a larger tensor that a model was given in a step."""

    step: int
    storage: int
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]

    def goes_on(self, last: "Piece") -> int | None:
        """The axis along which it begins where the last one ended, all steps between them being as long as they are.

        Rows of a data set that are taken one after the other go on along the first axis as well: only a model that has
        time there tells which of the two it is.
        """
        steps, gone = self.step - last.step, self.offset - last.offset
        if (self.storage, self.shape, self.stride) != (last.storage, last.shape, last.stride) or steps < 1:
            return None
        is_part_of_row = self.stride[0] > self.shape[1] * self.stride[1]
        if is_part_of_row and gone == steps * self.shape[1] * self.stride[1]:
            return 1
        return 0 if gone == steps * self.shape[0] * self.stride[0] else None


def piece_of(tensor: Tensor, step: int) -> Piece | None:
    """Where a tensor lies; None of one that is no part of anything.

    >>> long = torch.zeros(2, 12, 3)
    >>> piece_of(long[:, 4:8], 2).goes_on(piece_of(long[:, :4], 1)), piece_of(torch.zeros(3), 1) is None
    (1, True)
    """
    if tensor.dim() < 2 or not tensor.numel() or tensor.layout is not torch.strided or 0 in tensor.stride():
        return None
    storage = tensor.untyped_storage().data_ptr()
    return Piece(step, storage, int(tensor.storage_offset()), tuple(tensor.shape), tensor.stride())


def what_was_before(tensor: Tensor, axis: int) -> Tensor | None:
    """What lies before a piece along an axis, up to eight times as long; None at the very beginning.

    >>> long = torch.arange(12).view(2, 6)
    >>> what_was_before(long[:, 4:6], 1).tolist(), what_was_before(long[:, :2], 1) is None
    ([[0, 1, 2, 3], [6, 7, 8, 9]], True)
    """
    offset, stride, length = int(tensor.storage_offset()), tensor.stride(), tensor.shape[axis]
    position = (offset % stride[0] if axis == 1 else offset) // stride[axis]
    pieces = min(position // length, MOST_PIECES)
    if pieces < 1:
        return None
    shape = [pieces * length if each == axis else size for each, size in enumerate(tensor.shape)]
    return tensor.detach().as_strided(shape, stride, offset - pieces * length * stride[axis]).clone()
