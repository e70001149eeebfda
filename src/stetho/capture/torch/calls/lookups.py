"""Rows of an embedding that inputs ask for: which of them get a gradient shows what the model does not look at.

Of indices in columns, the highest in each is kept: fields that share a table should not share its rows. How often the
last row is asked for tells of ids that were cut off at it.
"""

from typing import TypeGuard

import torch
from torch import Tensor
from torch.nn import Embedding, EmbeddingBag, Module

from stetho.capture.by_identity import ByIdentity
from stetho.capture.torch.models.models import Layer

EMBEDDINGS = (Embedding, EmbeddingBag)
MOST_LOOKS = 20
MOST_ROWS = 1 << 18
MOST_COLUMNS = 64
"""Fields of a table are few; texts are longer."""


class Lookups:
    """Marks the rows that the first passes look up; the marks stay on the device of the indices."""

    def __init__(self) -> None:
        self._looks: ByIdentity[int] = ByIdentity()

    def entered(self, layer: Layer, module: Module, args: tuple[object, ...]) -> None:
        """An embedding is called in a training pass."""
        looks = self._looks.get(module) or 0
        indices = args[0] if args else None
        rows = int(module.num_embeddings)  # type: ignore[arg-type]  # both kinds have it
        if looks >= MOST_LOOKS or rows > MOST_ROWS or not _are_indices(indices):
            return
        self._looks[module] = looks + 1
        if layer.rows_asked is None or layer.rows_asked.device != indices.device:
            layer.rows_asked = torch.zeros(rows, dtype=torch.bool, device=indices.device)
        inside = indices.detach().flatten().clamp(0, rows - 1)
        layer.rows_asked[inside] = True
        counts = torch.stack([(inside == rows - 1).sum(), inside.new_full((), inside.numel())])
        before = layer.at_end
        layer.at_end = counts if before is None or before.device != counts.device else before + counts
        if indices.dim() == 2 and indices.shape[0] > 0 and 1 < indices.shape[1] <= MOST_COLUMNS:
            highest = indices.detach().amax(0)
            known = layer.highest_asked
            is_known = known is not None and known.shape == highest.shape and known.device == highest.device
            layer.highest_asked = torch.maximum(known, highest) if is_known and known is not None else highest


def _are_indices(value: object) -> TypeGuard[Tensor]:
    return isinstance(value, Tensor) and value.dtype in (torch.int64, torch.int32) and value.layout is torch.strided
