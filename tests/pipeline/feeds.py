"""Loaders of many kinds, small: one for each kind of network that is fed by them."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, IterableDataset, TensorDataset

ROWS = 10


def drawn(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def tokens(*shape: int) -> Tensor:
    return torch.randint(1, 20, shape, generator=torch.Generator().manual_seed(0))


def mlp() -> Any:
    return DataLoader(TensorDataset(drawn(ROWS, 12), torch.arange(ROWS) % 3), batch_size=4)


def cnn() -> Any:
    return DataLoader(TensorDataset(drawn(ROWS, 3, 8, 8), torch.arange(ROWS) % 2), batch_size=4, shuffle=True)


class Windows(IterableDataset[Tensor]):
    """Stretches of a text, one after the other."""

    def __iter__(self) -> Iterator[Tensor]:
        return iter(tokens(ROWS, 6))


def gpt() -> Any:
    return DataLoader(Windows(), batch_size=4)


def packed() -> Any:
    def collate(rows: list[Tensor]) -> tuple[Tensor, Tensor]:
        return pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])

    return DataLoader([tokens(2 + row % 5) for row in range(ROWS)], batch_size=4, collate_fn=collate)  # type: ignore[arg-type]


def encoder_decoder() -> Any:
    rows = [{"input_ids": tokens(4), "labels": tokens(3 + row % 3)} for row in range(ROWS)]

    def collate(batch: list[dict[str, Tensor]]) -> dict[str, Tensor]:
        labels = pad_sequence([row["labels"] for row in batch], batch_first=True, padding_value=-100)
        return {"input_ids": torch.stack([row["input_ids"] for row in batch]), "labels": labels}

    return DataLoader(rows, batch_size=4, collate_fn=collate)  # type: ignore[arg-type]


def dict_input() -> Any:
    rows = [{"image": drawn(4) + row, "text": drawn(2), "name": f"row {row}"} for row in range(ROWS)]
    return DataLoader(rows, batch_size=4)  # type: ignore[arg-type]


def control_flow() -> Any:
    return lambda: ((drawn(4, 4) + row, torch.tensor(row % 3)) for row in range(3))


def gan() -> Any:
    return DataLoader(drawn(ROWS, 2), batch_size=4, drop_last=True)  # type: ignore[arg-type]


FEEDS: tuple[tuple[Callable[[], Any], int, dict[str, str]], ...] = (
    (mlp, 10, {"0": "[2…4, 12]", "1": "[2…4]"}),
    (cnn, 10, {"0": "[2…4, 3, 8, 8]", "1": "[2…4]"}),
    (gpt, 10, {"batch": "[2…4, 6]"}),
    (packed, 10, {"0": "[2…4, 5…6]", "1": "[2…4]"}),
    (encoder_decoder, 10, {"input_ids": "[2…4, 4]", "labels": "[2…4, 5]"}),
    (dict_input, 10, {"image": "[2…4, 4]", "text": "[2…4, 2]", "name.*": "5 letters"}),
    (control_flow, 3, {"0": "[4, 4]", "1": "[]"}),
    (gan, 8, {"batch": "[4, 2]"}),
)
"""Each with the number of its samples, and the fields of its batches with their shapes, as its network gets them."""
