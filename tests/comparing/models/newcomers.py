"""Models that newcomers wrote after a book, a paper or another framework: right, or with the faults that come of it."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.models.stranger_parts import Pair, shaken

WIDTH, HEADS = 12, 3


class KerasGru(nn.Module):
    """A GRU as other frameworks have it: one bias more, and the reset gate before or after the product."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.of_x, self.of_h, self.fault = nn.Linear(5, 18), nn.Linear(6, 18), fault

    def forward(self, x: Tensor) -> Tensor:
        h, out = x.new_zeros(len(x), 6), []
        for step in x.unbind(1):
            a, b = self.of_x(step), self.of_h(h)
            r = torch.sigmoid(a[:, :6] + b[:, :6])
            z = torch.sigmoid(a[:, 6:12] + b[:, 6:12])
            if self.fault == "reset before":
                n = torch.tanh(a[:, 12:] + F.linear(r * h, self.of_h.weight[12:], self.of_h.bias[12:]))
            else:
                n = torch.tanh(a[:, 12:] + r * b[:, 12:])
            h = n + z * (h - n)
            out.append(h)
        return torch.stack(out, 1)


class Gru(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.GRU(5, 6, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.rnn(x)[0]  # type: ignore[no-any-return]


def gru(fault: str = "") -> Pair:
    torch.manual_seed(1)
    return shaken(Gru()), KerasGru(fault)


class BookNorm(nn.Module):
    """A layer norm as books write it."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.gain, self.shift, self.fault = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.zeros(WIDTH)), fault

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(-1, keepdim=True)
        if self.fault == "eps outside":
            return self.gain * (x - mean) / (x.std(-1, keepdim=True, correction=0) + 1e-5) + self.shift
        if self.fault == "sample spread":
            return self.gain * (x - mean) / (x.var(-1, keepdim=True) + 1e-5).sqrt() + self.shift
        spread = ((x - mean) ** 2).mean(-1, keepdim=True)
        return self.gain * (x - mean) / (spread + 1e-5).sqrt() + self.shift


class Decoder(nn.Module):
    """Attention over embedded tokens with fixed places, a gated part, and a head."""

    def __init__(self, fault: str = "", *, is_booked: bool = False) -> None:
        super().__init__()
        self.tokens = nn.Embedding(11, WIDTH)
        self.norm = BookNorm(fault) if is_booked else nn.LayerNorm(WIDTH)
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        if is_booked:
            self.both = nn.Linear(WIDTH, 4 * WIDTH)
        else:
            self.gate, self.up = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(WIDTH, 2 * WIDTH)
        self.down, self.head = nn.Linear(2 * WIDTH, WIDTH), nn.Linear(WIDTH, 11)
        self.fault, self.is_booked = fault, is_booked

    def places(self, length: int) -> Tensor:
        first = 1 if self.fault == "places from one" else 0
        angles = torch.arange(first, first + length)[:, None] / 100 ** (torch.arange(WIDTH // 2) * 2 / WIDTH)
        return torch.cat([angles.sin(), angles.cos()], -1).to(self.head.weight)

    def embedded(self, ids: Tensor) -> Tensor:
        x = self.tokens(ids)
        if self.fault == "no root":
            return x + self.places(ids.shape[1])
        return x * math.sqrt(WIDTH) + self.places(ids.shape[1])

    def attended(self, x: Tensor) -> Tensor:
        q, k, v = (each(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for each in (self.q, self.k, self.v))
        if not self.is_booked:
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            ahead = torch.ones(x.shape[1], x.shape[1]).triu(2 if self.fault == "one ahead" else 1).bool()
            scores = (q @ k.mT / math.sqrt(WIDTH // HEADS)).masked_fill(ahead, -math.inf)
            mixed = scores.softmax(-2 if self.fault == "over queries" else -1).nan_to_num() @ v
        return self.o(mixed.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]

    def gated(self, x: Tensor) -> Tensor:
        gate, up = self.both(x).chunk(2, -1) if self.is_booked else (self.gate(x), self.up(x))
        gate, up = (up, gate) if self.fault == "gates swapped" else (gate, up)
        return self.down(F.silu(gate) * up)  # type: ignore[no-any-return]

    def forward(self, ids: Tensor) -> Tensor:
        x = self.embedded(ids)
        x = x + self.attended(self.norm(x))
        x = F.dropout(x, 0.2, training=True) if self.fault == "dropout stays" else x
        if self.fault == "data":
            x.data = x.data
            x = x + self.gated(x).detach() * 0 + self.gated(x.detach())
        else:
            x = x + self.gated(x)
        pooled = x.mean(1) if self.fault != "last only" else x[:, -1]
        return self.head(pooled)  # type: ignore[no-any-return]


def decoder(fault: str = "") -> Pair:
    torch.manual_seed(2)
    return shaken(Decoder()), Decoder(fault, is_booked=True)


class SamePadded(nn.Module):
    """Strided convolutions that are padded as other frameworks do: more at the end."""

    def __init__(self, fault: str = "", *, is_booked: bool = False) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2d(3, 6, 3, stride=2), nn.Conv2d(6, 4, 3, stride=2)
        momentum = 0.9 if fault == "momentum of the other kind" else 0.1
        self.norm = nn.BatchNorm2d(6, momentum=momentum)
        self.is_booked, self.fault = is_booked, fault

    def padded(self, x: Tensor) -> Tensor:
        if self.is_booked:
            return F.pad(x, (1, 0, 1, 0) if self.fault == "begin" else (0, 1, 0, 1))
        return torch.cat([torch.cat([x, x.new_zeros(*x.shape[:3], 1)], -1), x.new_zeros(*x.shape[:2], 1, 9)], -2)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm(self.one(self.padded(x))).relu()
        return self.two(x).mean((2, 3))  # type: ignore[no-any-return]


def same_padded(fault: str = "") -> Pair:
    torch.manual_seed(3)
    return shaken(SamePadded()), SamePadded(fault, is_booked=True)


class ForgetfulLstm(nn.Module):
    """A cell loop whose forget gate begins open, as another framework adds it in the code."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.of_x, self.of_h, self.fault = nn.Linear(5, 24), nn.Linear(6, 24, bias=False), fault

    def forward(self, x: Tensor) -> Tensor:
        h = c = x.new_zeros(len(x), 6)
        for step in x.unbind(1):
            i, f, g, o = (self.of_x(step) + self.of_h(h)).chunk(4, -1)
            f = f + 1 if self.fault == "forget bias" else f
            c = f.sigmoid() * c + i.sigmoid() * (g.sigmoid() if self.fault == "gate squashed" else g.tanh())
            h = o.sigmoid() * (c if self.fault == "cell bare" else c.tanh())
        return h


class Lstm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(5, 6, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.rnn(x)[1][0][0]  # type: ignore[no-any-return]


def lstm(fault: str = "") -> Pair:
    torch.manual_seed(4)
    return shaken(Lstm()), ForgetfulLstm(fault)
