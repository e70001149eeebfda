"""What pairs of implementations are made of, and how weights go from one to the other."""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Pair = tuple[nn.Module, nn.Module]


def carry(first: nn.Module | dict[str, Tensor], second: nn.Module, names: dict[str, str]) -> None:
    """Copy weights by parts of their names: for each name of the second, what it is in the first."""
    state, given = second.state_dict(), first if isinstance(first, dict) else first.state_dict()
    for name in state:
        source = name
        for mine, theirs in names.items():
            source = source.replace(mine, theirs)
        state[name] = given[source].reshape(state[name].shape).clone()
    second.load_state_dict(state)


def shaken(model: nn.Module) -> nn.Module:
    """With values that tell something in weights that begin as ones and zeros."""
    for parameter in model.parameters():
        if parameter.dim() < 2:
            parameter.data += 0.3 * torch.randn_like(parameter)
    return model


class Core(nn.Module):
    """Attention by hand; `fault` is one of several."""

    def __init__(self, width: int, heads: int, fault: str = "") -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.heads, self.fault = heads, fault

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in (self.q(x), self.k(x), self.v(x)))
        scale = 1.0 if self.fault == "scale" else q.size(-1) ** -0.5
        weights = torch.einsum("bhid,bhjd->bhij", q, k) * scale
        return self.o((weights.softmax(-1) @ v).transpose(1, 2).flatten(2))


class PostBlock(nn.Module):
    def __init__(self, width: int, heads: int, fault: str = "", eps: float = 1e-12, act: Any = F.gelu) -> None:
        super().__init__()
        self.attn = Core(width, heads, fault)
        self.n1 = nn.LayerNorm(width, eps=eps)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.n2 = nn.LayerNorm(width, eps=1e-3 if fault == "eps" else eps)
        self.fault, self.act = fault, act

    def forward(self, x: Tensor) -> Tensor:
        x = self.n1(x + self.attn(x))
        return self.n2(self.down(self.act(self.up(x))) + (0 if self.fault == "residual" else x))


class PreBlock(nn.Module):
    def __init__(self, width: int, heads: int, fault: str = "", eps: float = 1e-12) -> None:
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(width, eps=eps), nn.LayerNorm(width, eps=eps)
        self.attn = Core(width, heads, fault)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.fault = fault

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.n1(x))
        return x + self.down(F.gelu(self.up(self.n2(x)), approximate="tanh" if self.fault == "gelu" else "none"))


class Rms(nn.Module):
    def __init__(self, width: int, eps: float = 1e-6, fault: str = "") -> None:
        super().__init__()
        self.weight, self.eps, self.fault = nn.Parameter(torch.ones(width)), eps, fault

    def forward(self, x: Tensor) -> Tensor:
        if self.fault == "centred":
            x = x - x.mean(-1, keepdim=True)
        if self.fault == "outside":
            return self.weight * (x / (x.pow(2).mean(-1, keepdim=True).sqrt() + math.sqrt(self.eps)))
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps))
