"""Pairs whose weights lie in other layouts: packed in unequal parts, by head, as a stack; with and without a fault."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

WIDTH, HEADS = 16, 2


def packed_cross_attention(fault: str = "") -> tuple[nn.Module, nn.Module]:
    """Torch's attention, which holds three projections in one, and one whose keys and values are in one."""
    torch.manual_seed(0)
    return Cross(), PackedCross(fault)


class Cross(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.att = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)

    def forward(self, x: Tensor, memory: Tensor) -> Tensor:
        hidden = memory[..., 0] > 1
        return self.att(x, memory, memory, key_padding_mask=hidden)[0]  # type: ignore[no-any-return]


class PackedCross(nn.Module):
    def __init__(self, fault: str) -> None:
        super().__init__()
        self.kv, self.q, self.out = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.fault = fault

    def forward(self, x: Tensor, memory: Tensor) -> Tensor:
        q, k, v = (each.unflatten(-1, (HEADS, -1)) for each in (self.q(x), *self.kv(memory).chunk(2, -1)))
        scores = torch.einsum("bihd,bjhd->bhij", q, k)
        scores = scores / (WIDTH if self.fault == "scale" else WIDTH // HEADS) ** 0.5
        scores = scores.masked_fill((memory[..., 0] > 1)[:, None, None], -1e9)
        shares = scores.softmax(2 if self.fault == "axis" else -1)
        return self.out(torch.einsum("bhij,bjhd->bihd", shares, v).flatten(2))  # type: ignore[no-any-return]


def window_attention(fault: str = "") -> tuple[nn.Module, nn.Module]:
    """Attention with a table of relative positions, whose rows and columns one of them takes the other way round."""
    torch.manual_seed(0)
    return Windowed(""), Windowed(fault, packed=False)


class Windowed(nn.Module):
    def __init__(self, fault: str, *, packed: bool = True) -> None:
        super().__init__()
        self.parts = nn.ModuleDict({n: nn.Linear(WIDTH, WIDTH) for n in "qkv"}) if not packed else None
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH) if packed else None
        self.table, self.out, self.fault = nn.Parameter(torch.randn(11, HEADS)), nn.Linear(WIDTH, WIDTH), fault

    def forward(self, x: Tensor) -> Tensor:
        whole = self.qkv(x) if self.qkv else torch.cat([each(x) for each in self.parts.values()], -1)  # type: ignore[union-attr]
        q, k, v = whole.unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        at = torch.arange(x.shape[1])
        apart = at - at[:, None] if self.fault == "turned" else at[:, None] - at
        scores = q @ k.mT / 8**0.5 + self.table[apart + 5].permute(2, 0, 1)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


def experts(fault: str = "") -> tuple[nn.Module, nn.Module]:
    """Experts that are layers of their own, and experts that are slices of one tensor."""
    torch.manual_seed(0)
    return Experts(), Stacked(fault)


class Experts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(8, 3, bias=False)
        self.each = nn.ModuleList(nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 8)) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        shares = self.gate(x).softmax(-1)
        return torch.stack([expert(x) * shares[..., [at]] for at, expert in enumerate(self.each)]).sum(0)


class Stacked(nn.Module):
    def __init__(self, fault: str) -> None:
        super().__init__()
        self.gate, self.fault = nn.Linear(8, 3, bias=False), fault
        self.up, self.up_bias = nn.Parameter(torch.randn(3, 8, 12)), nn.Parameter(torch.randn(3, 12))
        self.down, self.down_bias = nn.Parameter(torch.randn(3, 12, 8)), nn.Parameter(torch.randn(3, 8))

    def forward(self, x: Tensor) -> Tensor:
        inner = torch.einsum("nd,edh->neh", x, self.up) + self.up_bias
        inner = F.gelu(inner) if self.fault == "gelu" else F.relu(inner)
        outer = torch.einsum("neh,ehd->ned", inner, self.down) + self.down_bias
        return torch.einsum("ne,ned->nd", self.gate(x).softmax(-1), outer)


def interleaved_block() -> tuple[nn.Module, nn.Module]:
    """A block with queries, keys and values head by head in one matrix, and one with three: beside a plain network."""
    torch.manual_seed(0)
    return Block(packed=True), Block(packed=False)


class Block(nn.Module):
    def __init__(self, *, packed: bool) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH) if packed else None
        self.q, self.k, self.v = (None if packed else nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out, self.up, self.down = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 32), nn.Linear(32, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        if self.qkv is not None:
            q, k, v = self.qkv(x).unflatten(-1, (HEADS, 3, -1)).permute(3, 0, 2, 1, 4)
        else:
            q, k, v = (f(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for f in (self.q, self.k, self.v) if f)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(x)))  # type: ignore[no-any-return]


def grouped_rotary(pairs: str = "halves") -> tuple[nn.Module, nn.Module]:
    """Fewer keys than queries, apart and packed; the second may turn neighbours where the first turns halves."""
    torch.manual_seed(0)
    return Grouped("halves", packed=False), Grouped(pairs, packed=True)


class Grouped(nn.Module):
    def __init__(self, pairs: str, *, packed: bool) -> None:
        super().__init__()
        sizes = {"q_proj": 16, "k_proj": 8, "v_proj": 8}
        self.apart = None if packed else nn.ModuleDict({n: nn.Linear(WIDTH, size) for n, size in sizes.items()})
        self.qkv = nn.Linear(WIDTH, 32) if packed else None
        self.out, self.pairs = nn.Linear(WIDTH, WIDTH), pairs

    def turned(self, x: Tensor) -> Tensor:
        angles = torch.arange(x.shape[-2])[:, None] * 0.1 ** torch.arange(2)
        a, b = x.chunk(2, -1) if self.pairs == "halves" else (x[..., ::2], x[..., 1::2])
        both = a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()
        return torch.cat(both, -1) if self.pairs == "halves" else torch.stack(both, -1).flatten(-2)

    def forward(self, x: Tensor) -> Tensor:
        parts = self.qkv(x).split([16, 8, 8], -1) if self.qkv else [f(x) for f in self.apart.values()]  # type: ignore[union-attr]
        q, k, v = (each.unflatten(-1, (-1, 4)).transpose(1, 2) for each in parts)
        y = F.scaled_dot_product_attention(self.turned(q), self.turned(k), v, enable_gqa=True)
        return self.out(y.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]
