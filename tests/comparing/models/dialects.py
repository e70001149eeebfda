"""One model in two dialects: fused or apart, modules or functions, einsum or matmul; right, or with a planted fault."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.models.stranger_parts import Pair, carry, shaken


class Gate(nn.Module):
    """A step of a GRU, gate by gate."""

    def __init__(self, inputs: int, hidden: int, fault: str) -> None:
        super().__init__()
        self.of_x, self.of_h = nn.Linear(inputs, 3 * hidden), nn.Linear(hidden, 3 * hidden)
        self.fault = fault

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        (xr, xz, xn), (hr, hz, hn) = self.of_x(x).chunk(3, -1), self.of_h(h).chunk(3, -1)
        r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
        if self.fault == "swapped":
            r, z = z, r
        return (1 - z) * torch.tanh(xn + r * hn) + z * h


class Stacked(nn.Module):
    """Layers of cells, step by step through all of them."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.embed, self.head = nn.Embedding(11, 6), nn.Linear(5, 11)
        self.cells = nn.ModuleList([Gate(6, 5, ""), Gate(5, 5, fault)])

    def forward(self, ids: Tensor) -> Tensor:
        states, given = [torch.zeros(len(ids), 5).to(self.head.weight) for _ in self.cells], []
        for x in self.embed(ids).unbind(1):
            for at, cell in enumerate(self.cells):
                x = states[at] = cell(x, states[at])
            given.append(x)
        return self.head(torch.stack(given, 1))


def deep_gru(fault: str = "") -> Pair:
    """`nn.GRU` of two layers in a language model, and cells that go through the layers step by step."""
    torch.manual_seed(21)

    class Framed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed, self.rnn, self.head = nn.Embedding(11, 6), nn.GRU(6, 5, 2, batch_first=True), nn.Linear(5, 11)

        def forward(self, ids: Tensor) -> Tensor:
            return self.head(self.rnn(self.embed(ids))[0])

    first, second = Framed(), Stacked(fault)
    names = {
        f"cells.{at}.of_{part}.{kind}": f"rnn.{kind}_{part[0]}h_l{at}"
        for at in (0, 1)
        for part in ("x", "h")
        for kind in ("weight", "bias")
    }
    names = {mine: theirs.replace("_xh_", "_ih_").replace("_hh_", "_hh_") for mine, theirs in names.items()}
    carry(first, second, names)
    return first, second


class Norms(nn.Module):
    """An encoder layer that norms before or after its parts."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(12, 36), nn.Linear(12, 12)
        self.up, self.down = nn.Linear(12, 24), nn.Linear(24, 12)
        self.norm1, self.norm2 = nn.LayerNorm(12), nn.LayerNorm(12)
        self.fault = fault

    def attend(self, x: Tensor) -> Tensor:
        q, k, v = (part.unflatten(-1, (3, 4)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        scale = 1.0 if self.fault == "scale" else 0.5
        return self.out(F.scaled_dot_product_attention(q, k, v, scale=scale).transpose(1, 2).flatten(2))

    def forward(self, x: Tensor) -> Tensor:
        if self.fault == "post":
            x = self.norm1(x + self.attend(x))
            return self.norm2(x + self.down(self.up(x).relu()))
        x = x + self.attend(self.norm1(x))
        return x + self.down(self.up(self.norm1(x) if self.fault == "norm used twice" else self.norm2(x)).relu())


def pre_norm(fault: str = "") -> Pair:
    """`nn.TransformerEncoderLayer` that norms first, and one with its queries, keys and values in one product."""
    torch.manual_seed(22)
    first = shaken(nn.TransformerEncoderLayer(12, 3, 24, 0.0, batch_first=True, norm_first=True))
    second = Norms(fault)
    names = {
        "qkv.weight": "self_attn.in_proj_weight", "qkv.bias": "self_attn.in_proj_bias", "out": "self_attn.out_proj",
        "up": "linear1", "down": "linear2",
    }  # fmt: skip
    carry(first, second, names)
    return first, second


class Unfolded(nn.Module):
    """A convolution as unfolding and one product."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.weight, self.bias, self.fault = nn.Parameter(torch.zeros(6, 4, 3, 3)), nn.Parameter(torch.zeros(6)), fault

    def forward(self, x: Tensor) -> Tensor:
        pad = 0 if self.fault == "padding" else 1
        x = F.pad(x, (1, 1, 1, 1), mode="circular") if pad == 0 else x
        columns = F.unfold(x, 3, padding=pad, stride=2)
        made = torch.einsum("of,bfl->bol", self.weight.flatten(1), columns) + self.bias[:, None]
        return made.unflatten(-1, (4, 4))


def strided(fault: str = "") -> Pair:
    """A strided convolution with batch norm, and the same unfolded, with functions."""
    torch.manual_seed(23)
    first = shaken(
        nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1),
            nn.BatchNorm2d(4),
            nn.Hardswish(),
            nn.Conv2d(4, 6, 3, 2, 1),
            nn.BatchNorm2d(6),
            nn.Flatten(),
            nn.Linear(96, 5),
        )
    )
    for norm in (first[1], first[4]):
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.5, 2)

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem, self.body, self.n1, self.n2 = (
                nn.Conv2d(3, 4, 3, padding=1),
                Unfolded(fault),
                *map(nn.BatchNorm2d, (4, 6)),
            )
            self.n2.eps = 1e-3 if fault == "eps" else 1e-5
            self.n2.momentum = 0.2 if fault == "momentum" else 0.1
            self.head = nn.Linear(96, 5)

        def forward(self, x: Tensor) -> Tensor:
            x = self.n1(self.stem(x))
            x = x * x.sigmoid() if fault == "swish" else x * (x + 3).clamp(0, 6) / 6
            return self.head(self.n2(self.body(x)).view(len(x), -1))

    second = Plain()
    carry(first, second, {"stem": "0", "n1": "1", "body": "3", "n2": "4", "head": "6"})
    return first, second


class Rotary(nn.Module):
    """One layer of causal attention with places by rotation of halves, by einsum or matmul."""

    def __init__(self, by_einsum: bool, fault: str = "") -> None:
        super().__init__()
        self.embed, self.norm = nn.Embedding(13, 16), nn.LayerNorm(16)
        self.q, self.k, self.v, self.o = (nn.Linear(16, 16, bias=False) for _ in range(4))
        self.head = nn.Linear(16, 13, bias=False)
        self.by_einsum, self.fault = by_einsum, fault

    def turn(self, x: Tensor) -> Tensor:
        angles = torch.arange(x.size(-2))[:, None] / 100 ** (torch.arange(4) / 4)
        angles = torch.cat([angles, angles], -1).to(x)
        a, b = x.chunk(2, -1)
        half = torch.cat([b, -a] if self.fault == "sign" else [-b, a], -1)
        return x * angles.cos() + half * angles.sin()

    def mask(self, size: int) -> Tensor:
        if self.fault == "mask":
            return torch.ones(size, size, dtype=torch.bool).triu(2)
        return torch.ones(size, size, dtype=torch.bool).triu(1)

    def forward(self, ids: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        x = self.embed(ids)
        y = self.norm(x)
        q, k, v = (each(y).unflatten(-1, (2, 8)).transpose(1, 2) for each in (self.q, self.k, self.v))
        q, k = self.turn(q), self.turn(k)
        if self.fault == "half":
            v = v.to(torch.float16).to(x.dtype)
        if self.by_einsum:
            scores = (
                torch.einsum("bhqd,bhkd->bhqk", q, k).div(math.sqrt(8)).masked_fill(self.mask(x.size(1)), -math.inf)
            )
            mixed = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(-1), v).flatten(2)
        else:
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        logits = self.head(x + self.o(mixed))
        if self.fault == "shift":
            return logits, F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return logits, F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def rotary(fault: str = "") -> Pair:
    """A language model with its loss, attention of torch and einsum by hand."""
    torch.manual_seed(24)
    first, second = shaken(Rotary(False)), Rotary(True, fault)
    second.load_state_dict(first.state_dict())
    return first, second
