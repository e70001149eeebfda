"""Networks of many kinds, small: what looks at models is tried on all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass
class Output:
    """What some models give."""

    logits: Tensor
    hidden: tuple[Tensor, ...]


class Gpt(nn.Module):
    """A language model with tied weights."""

    def __init__(self, width: int = 16, depth: int = 2, vocabulary: int = 20) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids: Tensor) -> Output:
        x = self.tokens(ids)
        hidden = []
        for block in self.blocks:
            x = block(x)
            hidden.append(x)
        return Output(self.head(x), tuple(hidden))


class Block(nn.Module):
    """Attention, then two linear layers."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.qkv(self.norm(x)).chunk(3, dim=-1)
        x = x + self.out(functional.scaled_dot_product_attention(q, k, v, is_causal=True))
        return x + self.mlp(x)


class Packed(nn.Module):
    """A recurrent network over sequences of several lengths."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(20, 6)
        self.lstm = nn.LSTM(6, 5, batch_first=True, bidirectional=True)
        self.head = nn.Linear(10, 3)

    def forward(self, ids: Tensor, lengths: Tensor) -> dict[str, Tensor]:
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        padded, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return {"logits": self.head(padded.mean(1))}


class Deciding(nn.Module):
    """Calls a layer as often as its input asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.step = nn.Linear(4, 4)

    def forward(self, x: Tensor, times: Tensor) -> Tensor:
        for _ in range(int(times)):
            x = self.step(x).tanh()
        return -x if bool(x.sum() > 1e6) else x


class Gan(nn.Module):
    """Two networks that are called one after the other from outside."""

    def __init__(self) -> None:
        super().__init__()
        self.generator = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.discriminator = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(), nn.Linear(8, 1))


class Batch(nn.Module):
    """Takes a dict."""

    def __init__(self) -> None:
        super().__init__()
        self.image, self.text = nn.Linear(4, 3), nn.Linear(2, 3)

    def forward(self, batch: dict[str, Tensor]) -> Tensor:
        return self.image(batch["image"]) + self.text(batch["text"])


class Wrong(nn.Module):
    """The second layer does not fit to the first."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(9, 2)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x).relu()
        return self.second(x)  # type: ignore[no-any-return]


def mlp() -> tuple[nn.Module, Any]:
    return nn.Sequential(nn.Flatten(), nn.Linear(12, 8), nn.ReLU(), nn.Dropout(), nn.Linear(8, 3)), (2, 3, 4)


def cnn() -> tuple[nn.Module, Any]:
    layers = (nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Flatten())
    return nn.Sequential(*layers, nn.Linear(36, 2)), torch.randn(2, 3, 8, 8)


def gpt() -> tuple[nn.Module, Any]:
    return Gpt(), torch.arange(12).reshape(2, 6)


def packed() -> tuple[nn.Module, Any]:
    return Packed(), {"ids": torch.arange(12).reshape(3, 4), "lengths": torch.tensor([4, 2, 3])}


def encoder_decoder() -> tuple[nn.Module, Any]:
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(vocab_size=30, d_model=16, d_kv=4, d_ff=32, num_layers=1, num_heads=4, decoder_start_token_id=0)
    ids = torch.arange(8).reshape(2, 4)
    return T5ForConditionalGeneration(config), {"input_ids": ids, "labels": ids}


def dict_input() -> tuple[nn.Module, Any]:
    return Batch(), {"image": torch.randn(2, 4), "text": torch.randn(2, 2)}


def control_flow() -> tuple[nn.Module, Any]:
    return Deciding(), (torch.randn(2, 4), torch.tensor(3))


def gan() -> tuple[nn.Module, Any]:
    return Gan(), lambda model: model.discriminator(model.generator(torch.randn(5, 3)))


def attention() -> tuple[nn.Module, Any]:
    return nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), torch.randn(2, 3, 8)


NETWORKS: tuple[Callable[[], tuple[nn.Module, Any]], ...] = (
    mlp,
    cnn,
    gpt,
    packed,
    encoder_decoder,
    dict_input,
    control_flow,
    gan,
    attention,
)
