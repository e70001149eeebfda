"""More pairs of implementations that are not alike: layers and small models of torch, and the same by hand."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.models.stranger_parts import Pair, PostBlock, Rms, carry, shaken


def encoder_layer(fault: str = "") -> Pair:
    """`nn.TransformerEncoderLayer` behind a projection, and the same by hand."""
    torch.manual_seed(5)
    first = shaken(nn.Sequential(nn.Linear(6, 16), nn.TransformerEncoderLayer(16, 2, 32, 0.0, batch_first=True)))
    first[1].self_attn.in_proj_bias.data.normal_()

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inward = nn.Linear(6, 16)
            self.block = PostBlock(16, 2, fault, 1e-5, F.gelu if fault == "activation" else F.relu)

        def forward(self, x: Tensor) -> Tensor:
            return self.block(self.inward(x))

    second, given = Plain(), dict(first.state_dict())
    for kind in ("weight", "bias"):
        for letter, part in zip("qkv", given.pop(f"1.self_attn.in_proj_{kind}").chunk(3), strict=True):
            given[f"1.attn.{letter}.{kind}"] = part
    names = {
        "inward": "0", "block": "1", "attn.o": "self_attn.out_proj", "n1": "norm1", "n2": "norm2",
        "up": "linear1", "down": "linear2",
    }  # fmt: skip
    carry(given, second, names)
    return first, second


def convolution_1d(fault: str = "") -> Pair:
    """Dilated `nn.Conv1d` between others, and one that unfolds and multiplies."""
    torch.manual_seed(6)
    first = nn.Sequential(nn.Conv1d(3, 8, 1), nn.Conv1d(8, 6, 3, padding=2, dilation=2), nn.Tanh(), nn.Conv1d(6, 4, 1))

    class Unfolded(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.zeros(6, 24)), nn.Parameter(torch.zeros(6))

        def forward(self, x: Tensor) -> Tensor:
            x = F.pad(x, (2, 2), mode="reflect" if fault == "padding" else "constant")
            if fault == "dilation":
                taken = torch.stack([x[..., 1 + at : x.size(-1) - 3 + at] for at in range(3)], 2)
            else:
                taken = torch.stack([x[..., 2 * at : x.size(-1) - 4 + 2 * at] for at in range(3)], 2)
            return self.weight @ taken.flatten(1, 2) + self.bias[:, None]

    second = nn.Sequential(nn.Conv1d(3, 8, 1), Unfolded(), nn.Tanh(), nn.Conv1d(6, 4, 1))
    carry(first, second, {})
    return first, second


def group_norm(fault: str = "") -> Pair:
    """`nn.GroupNorm` between convolutions, and the same by hand."""
    torch.manual_seed(7)
    first = shaken(nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(4, 8), nn.ReLU(), nn.Conv2d(8, 4, 1)))

    class Grouped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(8)), nn.Parameter(torch.zeros(8))

        def forward(self, x: Tensor) -> Tensor:
            parts = x.unflatten(1, (2, 4)).transpose(1, 2) if fault == "groups" else x.unflatten(1, (4, 2))
            flat = parts.flatten(2)
            centre = flat.mean(-1, keepdim=True)
            spread = flat.var(-1, keepdim=True, unbiased=fault == "unbiased")
            flat = (flat - centre) / torch.sqrt(spread + 1e-5)
            parts = flat.view(len(x), 4, 2, *x.shape[2:])
            y = parts.transpose(1, 2).flatten(1, 2) if fault == "groups" else parts.flatten(1, 2)
            return y * self.weight.view(-1, 1, 1) + self.bias.view(-1, 1, 1)

    second = nn.Sequential(nn.Conv2d(3, 8, 3), Grouped(), nn.ReLU(), nn.Conv2d(8, 4, 1))
    carry(first, second, {})
    return first, second


def two_way_gru(fault: str = "") -> Pair:
    """`nn.GRU` in both directions, and loops of cells."""
    torch.manual_seed(8)

    class Framed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.rnn, self.head = nn.GRU(5, 4, batch_first=True, bidirectional=True), nn.Linear(8, 3)

        def forward(self, x: Tensor) -> Tensor:
            return self.head(self.rnn(x)[0])

    class Looped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.there, self.back, self.head = nn.GRUCell(5, 4), nn.GRUCell(5, 4), nn.Linear(8, 3)

        def cell(self, own: nn.GRUCell, x: Tensor, h: Tensor) -> Tensor:
            a, b = F.linear(x, own.weight_ih, own.bias_ih), F.linear(h, own.weight_hh, own.bias_hh)
            r, z = torch.sigmoid(a[:, :8] + b[:, :8]).chunk(2, 1)
            if fault == "reset":
                n = torch.tanh(a[:, 8:] + F.linear(r * h, own.weight_hh[8:], own.bias_hh[8:]))
            else:
                n = torch.tanh(a[:, 8:] + r * b[:, 8:])
            return z * n + (1 - z) * h if fault == "update" else n + z * (h - n)

        def forward(self, x: Tensor) -> Tensor:
            sides = []
            for own, steps in ((self.there, range(x.size(1))), (self.back, range(x.size(1) - 1, -1, -1))):
                h, seen = x.new_zeros(len(x), 4), []
                for at in steps:
                    h = self.cell(own, x[:, at], h)
                    seen.append(h)
                sides.append(torch.stack(seen[::-1] if own is self.back and fault != "order" else seen, 1))
            return self.head(torch.cat(sides, -1))

    first, second = Framed(), Looped()
    with torch.no_grad():
        for cell, end in ((second.there, "_l0"), (second.back, "_l0_reverse")):
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                getattr(cell, name).copy_(getattr(first.rnn, name + end))
    second.head.load_state_dict(first.head.state_dict())
    return first, second


class Turned(nn.Module):
    """Queries and keys that are turned by their places: as complex numbers, or by sine and cosine."""

    def __init__(self, is_complex: bool, fault: str = "") -> None:
        super().__init__()
        self.inward, self.q, self.k = nn.Linear(6, 16), nn.Linear(16, 16), nn.Linear(16, 16)
        self.outward = nn.Linear(16, 3)
        self.is_complex, self.fault = is_complex, fault

    def turn(self, x: Tensor) -> Tensor:
        base = 1000.0 if self.fault == "base" else 10000.0
        angles = torch.arange(x.size(1))[:, None] * base ** (-torch.arange(0, 16, 2) / 16)
        angles = angles.to(x)
        if self.is_complex:
            pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
            return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
        even, odd = x[..., ::2], x[..., 1::2]
        sign = -1 if self.fault == "sign" else 1
        turned = even * angles.cos() - sign * odd * angles.sin(), odd * angles.cos() + sign * even * angles.sin()
        return torch.stack(turned, -1).flatten(-2)

    def forward(self, x: Tensor) -> Tensor:
        x = self.inward(x).tanh()
        q, k = self.turn(self.q(x)), self.turn(self.k(x)) if self.fault != "keys" else self.k(x)
        return self.outward((q @ k.mT / 4).softmax(-1) @ x)


def turned(fault: str = "") -> Pair:
    """Rotary places as complex numbers, and by sine and cosine."""
    torch.manual_seed(9)
    first, second = Turned(True), Turned(False, fault)
    second.load_state_dict(first.state_dict())
    return first, second


def rms_norm(fault: str = "") -> Pair:
    """`nn.RMSNorm` between linear layers, and the same by hand."""
    torch.manual_seed(10)
    first = shaken(nn.Sequential(nn.Linear(6, 12), nn.RMSNorm(12, eps=1e-3), nn.SiLU(), nn.Linear(12, 3)))
    second = nn.Sequential(nn.Linear(6, 12), Rms(12, 1e-3, fault), nn.SiLU(), nn.Linear(12, 3))
    carry(first, second, {})
    return first, second


class Experts(nn.Module):
    """The best two of four experts: each called on its own tokens, or all on all of them."""

    def __init__(self, is_dense: bool, fault: str = "") -> None:
        super().__init__()
        self.inward, self.router = nn.Linear(6, 8), nn.Linear(8, 4, bias=False)
        self.up, self.down = nn.Parameter(torch.randn(4, 8, 16) / 3), nn.Parameter(torch.randn(4, 16, 8) / 4)
        self.norm = nn.LayerNorm(8)
        self.is_dense, self.fault = is_dense, fault

    def forward(self, x: Tensor) -> Tensor:
        x = self.inward(x)
        shares, chosen = self.router(x).softmax(-1).topk(1 if self.fault == "topk" else 2, -1)
        if self.fault != "normalised":
            shares = shares / shares.sum(-1, keepdim=True)
        if self.is_dense:
            weights = torch.zeros(*x.shape[:-1], 4).to(x).scatter(-1, chosen, shares)
            inner = torch.einsum("btd,edf->btef", x, self.up)
            inner = inner.relu() if self.fault == "activation" else F.gelu(inner)
            out = torch.einsum("btef,efd,bte->btd", inner, self.down, weights)
        else:
            out = torch.zeros_like(x)
            for number in range(4):
                share = (shares * (chosen == number)).sum(-1, keepdim=True)
                out = out + share * (F.gelu(x @ self.up[number]) @ self.down[number])
        return self.norm(x + out)


def experts(fault: str = "") -> Pair:
    """A mixture of experts in a loop, and with einsum."""
    torch.manual_seed(11)
    first, second = Experts(False), Experts(True, fault)
    second.load_state_dict(first.state_dict())
    return first, second


class Separable(nn.Module):
    """A depthwise convolution channel by channel."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.expand, self.n1 = nn.Conv2d(4, 8, 1, bias=False), nn.BatchNorm2d(8)
        self.kernels = nn.Parameter(torch.zeros(8, 1, 3, 3))
        self.n2, self.project = nn.BatchNorm2d(8), nn.Conv2d(8, 4, 1, bias=False)
        self.fault = fault

    def forward(self, x: Tensor) -> Tensor:
        y = self.n1(self.expand(x)).clamp(0, 6)
        parts = [
            F.conv2d(part, self.kernels[0 if self.fault == "kernel" else at][None], padding=1)
            for at, part in enumerate(y.split(1, 1))
        ]
        y = torch.cat(parts, 1)
        y = self.n2(y.relu()) if self.fault == "order" else self.n2(y).clamp(0, 6)
        y = self.project(y)
        return y if self.fault == "shortcut" else x + y


def separable(fault: str = "") -> Pair:
    """An inverted residual block with a depthwise convolution, and one channel by channel."""
    torch.manual_seed(12)

    class Framed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Sequential(
                nn.Conv2d(4, 8, 1, bias=False),
                nn.BatchNorm2d(8),
                nn.ReLU6(),
                nn.Conv2d(8, 8, 3, 1, 1, groups=8, bias=False),
                nn.BatchNorm2d(8),
                nn.ReLU6(),
                nn.Conv2d(8, 4, 1, bias=False),
            )

        def forward(self, x: Tensor) -> Tensor:
            return x + self.conv(x)

    first, second = shaken(Framed()), Separable(fault)
    for norm in (first.conv[1], first.conv[4]):
        norm.running_mean.normal_()
        norm.running_var.uniform_(0.5, 2)
    carry(
        first,
        second,
        {"expand": "conv.0", "n1": "conv.1", "kernels": "conv.3.weight", "n2": "conv.4", "project": "conv.6"},
    )
    return first, second


def unet(fault: str = "") -> Pair:
    """A small U-Net of modules, and one of functions."""
    torch.manual_seed(13)

    def double(inputs: int, outputs: int) -> nn.Module:
        return nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(), nn.Conv2d(outputs, outputs, 3, padding=1), nn.ReLU()
        )

    class Framed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b, self.c, self.d = double(2, 4), double(4, 8), double(12, 4), nn.Conv2d(4, 1, 1)
            self.pool, self.up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)

        def forward(self, x: Tensor) -> Tensor:
            a = self.a(x)
            return self.d(self.c(torch.cat([self.up(self.b(self.pool(a))), a], 1)))

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            sizes = ((2, 4), (4, 4), (4, 8), (8, 8), (12, 4), (4, 4))
            self.convs = nn.ModuleList(nn.Conv2d(*size, 3, padding=1) for size in sizes)
            self.last = nn.Conv2d(4, 1, 1)

        def twice(self, at: int, x: Tensor) -> Tensor:
            return self.convs[at + 1](self.convs[at](x).clamp(min=0)).clamp(min=0)

        def forward(self, x: Tensor) -> Tensor:
            a = self.twice(0, x)
            low = F.avg_pool2d(a, 2) if fault == "pool" else F.max_pool2d(a, 2)
            high = F.interpolate(self.twice(2, low), scale_factor=2, mode="bilinear", align_corners=fault != "corners")
            return self.last(self.twice(4, torch.cat([a, high] if fault == "skip" else [high, a], 1)))

    first, second = Framed(), Plain()
    for mine, theirs in zip(
        [*second.convs, second.last],
        [first.a[0], first.a[2], first.b[0], first.b[2], first.c[0], first.c[2], first.d],
        strict=True,
    ):
        mine.load_state_dict(theirs.state_dict())
    return first, second
