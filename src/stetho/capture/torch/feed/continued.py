"""Sequences that go on from batch to batch: each row begins where that of the batch before ended."""

import torch
from torch import Tensor

from stetho.capture.torch.probes.pieces import Piece, piece_of

MOST = 64


class Continued:
    """Compares the first position of a batch with what was asked for last in the batch before, and where both lie.

    >>> text, continued = torch.arange(61).reshape(1, -1), Continued()
    >>> for step in range(6):
    ...     piece = text[:, 10 * step : 10 * step + 11]
    ...     continued.add(step, piece[:, :-1], piece[:, 1:].flatten())
    >>> continued.result()
    {'pairs': 5, 'share': 1.0}
    """

    def __init__(self) -> None:
        self._last: tuple[int, Tensor] | None = None
        self._piece: Piece | None = None
        self._shares: list[Tensor] = []

    def add(self, step: int, inputs: Tensor, target: Tensor) -> None:
        """The inputs of a training pass with one target, or several, for each position."""
        before, self._last = self._last, None
        piece, self._piece = self._piece, piece_of(inputs, step)
        if len(self._shares) == MOST or inputs.dim() < 2 or target.device != inputs.device or not inputs.numel():
            return
        count = inputs.shape[0] * inputs.shape[1]
        if not target.numel() or target.numel() % count:
            return
        first = inputs.reshape(*inputs.shape[:2], -1)[:, 0, 0]
        self._last = step, target.detach().reshape(*inputs.shape[:2], -1)[:, -1, 0].clone()
        if piece is not None and self._piece is not None and self._piece.goes_on(piece) == 1:
            self._shares.append(torch.ones((), dtype=torch.double))
        elif before is not None and before[0] == step - 1 and len(before[1]) == len(first):
            # Read at the end: a device is not waited for here.
            self._shares.append((first == before[1]).double().mean())

    def result(self) -> dict[str, object] | None:
        """How many batches follow each other, and the share of rows that go on in the next one."""
        if not self._shares:
            return None
        return {"pairs": len(self._shares), "share": float(torch.stack([each.cpu() for each in self._shares]).mean())}
