"""Pairs whose outputs agree: they differ in what flows back, in what they keep, or in how their weights lie."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.models.stranger_parts import Pair, shaken


class Cut(nn.Module):
    """A model that can hold a part of the gradient back."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.inward, self.norm, self.outward = nn.Linear(5, 8), nn.LayerNorm(8), nn.Linear(8, 3)
        self.fault = fault

    def forward(self, x: Tensor) -> Tensor:
        weight = self.norm.weight.detach() if self.fault == "norm weight" else self.norm.weight
        bias = self.norm.bias.detach() if self.fault == "norm bias" else self.norm.bias
        x = F.layer_norm(self.inward(x), (8,), weight, bias)
        x = x + (x.round() if self.fault == "round" else x + (x.round() - x).detach())
        bias = self.outward.bias.detach() if self.fault == "last bias" else self.outward.bias
        return F.linear(Doubled.apply(x, self.fault), self.outward.weight, bias)


class Doubled(torch.autograd.Function):
    """The square of a tensor, with a backward pass by hand."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, fault: str) -> Tensor:
        ctx.save_for_backward(x)
        ctx.fault = fault
        return x * x

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:  # type: ignore[override]
        (x,) = ctx.saved_tensors
        return gradient * x * (1 if ctx.fault == "factor" else 2), None


def cut(fault: str = "") -> Pair:
    """The same forward pass; norms are as new, with ones and zeros."""
    torch.manual_seed(31)
    first, second = Cut(), Cut(fault)
    second.load_state_dict(first.state_dict())
    return first, second


class Tied(nn.Module):
    def __init__(self, is_tied: bool) -> None:
        super().__init__()
        self.embed, self.mix, self.head = nn.Embedding(9, 6), nn.Linear(6, 6), nn.Linear(6, 9, bias=False)
        if is_tied:
            self.head.weight = self.embed.weight

    def forward(self, ids: Tensor) -> Tensor:
        return self.head(self.mix(self.embed(ids)).tanh())


def tied() -> Pair:
    """One shares the weights of its first and last layer, the other holds them twice."""
    torch.manual_seed(32)
    first, second = Tied(True), Tied(False)
    second.load_state_dict(first.state_dict())
    return first, second


def laid_out(fault: str = "") -> Pair:
    """The same code; weights of the second were carried over wrongly."""
    torch.manual_seed(33)

    class Packed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.rnn, self.qkv, self.square, self.head = (
                nn.LSTM(6, 6, batch_first=True),
                nn.Linear(6, 18),
                nn.Linear(6, 6),
                nn.Linear(6, 4),
            )

        def forward(self, x: Tensor) -> Tensor:
            x = self.rnn(x)[0]
            q, k, v = (part.unflatten(-1, (2, 3)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
            x = x + F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
            return self.head(self.square(x).tanh())

    first, second = shaken(Packed()), Packed()
    state = {name: value.clone() for name, value in first.state_dict().items()}
    if fault == "gates":
        for name in [each for each in state if each.startswith("rnn.")]:
            i, f, g, o = state[name].chunk(4)
            state[name] = torch.cat([i, f, o, g])
    if fault == "heads":
        state["qkv.weight"] = state["qkv.weight"].view(3, 2, 3, 6).transpose(0, 1).reshape(18, 6)
    if fault == "turned":
        state["square.weight"] = state["square.weight"].T
    second.load_state_dict(state)
    return first, second


class ByHand(nn.Module):
    """Layers of torch in other words; `words` says which."""

    def __init__(self, words: Callable[["ByHand", Tensor], Tensor], **layers: nn.Module) -> None:
        super().__init__()
        for name, layer in layers.items():
            self.add_module(name, layer)
        self.words = words

    def forward(self, x: Tensor) -> Tensor:
        return self.words(self, x)


def softmax(x: Tensor) -> Tensor:
    raised = (x - x.amax(-1, keepdim=True)).exp()
    return raised / raised.sum(-1, keepdim=True)


def gelu(x: Tensor) -> Tensor:
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


def layer_norm(m: Any, x: Tensor) -> Tensor:
    centred = x - x.mean(-1, keepdim=True)
    return centred * (centred.square().mean(-1, keepdim=True) + m.eps).rsqrt() * m.weight + m.bias


WORDS: dict[str, tuple[Callable[[], dict[str, nn.Module]], Any, Any, Any]] = {
    "functions for modules": (
        lambda: {"a": nn.Linear(5, 7), "b": nn.Linear(7, 3)},
        lambda m, x: nn.Sequential(m.a, nn.SiLU(), m.b, nn.LogSoftmax(-1))(x),
        lambda m, x: torch.log_softmax(F.linear(F.silu(F.linear(x, m.a.weight, m.a.bias)), m.b.weight, m.b.bias), -1),
        (4, 5),
    ),
    "softmax and GELU by hand": (
        lambda: {"a": nn.Linear(5, 7)},
        lambda m, x: F.gelu(m.a(x)).softmax(-1),
        lambda m, x: softmax(gelu(m.a(x))),
        (4, 5),
    ),
    "a norm by hand": (
        lambda: {"a": nn.Linear(5, 7), "n": nn.LayerNorm(7)},
        lambda m, x: m.n(m.a(x)),
        lambda m, x: layer_norm(m.n, m.a(x)),
        (4, 5),
    ),
    "a look-up as a product": (
        lambda: {"e": nn.Embedding(9, 4), "a": nn.Linear(4, 3)},
        lambda m, x: m.a(m.e(x)),
        lambda m, x: m.a(F.one_hot(x, 9).to(m.e.weight) @ m.e.weight),
        ["2,6:int64:9"],
    ),
    "a convolution of 1 by 1 as a linear layer": (
        lambda: {"c": nn.Conv2d(3, 5, 1), "d": nn.Conv2d(5, 2, 3)},
        lambda m, x: m.d(m.c(x).relu()),
        lambda m, x: m.d((x.movedim(1, -1) @ m.c.weight.flatten(1).T + m.c.bias).movedim(-1, 1).clamp_min(0)),
        (2, 3, 6, 6),
    ),
    "a batch norm as scale and shift": (
        lambda: {"c": nn.Conv2d(3, 5, 1), "n": nn.BatchNorm2d(5)},
        lambda m, x: m.n(m.c(x)).mean((2, 3)),
        lambda m, x: F.adaptive_avg_pool2d(
            (m.c(x) - m.n.running_mean[:, None, None])
            * (m.n.weight / (m.n.running_var + m.n.eps).sqrt())[:, None, None]
            + m.n.bias[:, None, None],
            1,
        ).flatten(1),
        (2, 3, 6, 6),
    ),
    "a bilinear layer as einsum": (
        lambda: {"b": nn.Bilinear(4, 4, 3)},
        lambda m, x: m.b(x, x.flip(0)),
        lambda m, x: torch.einsum("bi,oij,bj->bo", x, m.b.weight, x.flip(0)) + m.b.bias,
        (5, 4),
    ),
    "a transposed convolution by hand": (
        lambda: {"t": nn.ConvTranspose1d(3, 4, 4, 2, 1)},
        lambda m, x: m.t(x),
        lambda m, x: (
            F.fold(
                torch.einsum("iok,bil->bokl", m.t.weight, x).flatten(1, 2),
                (1, 2 * x.size(-1)),
                (1, 4),
                stride=(1, 2),
                padding=(0, 1),
            )[:, :, 0]
            + m.t.bias[:, None]
        ),
        (2, 3, 5),
    ),
    "a loss by hand": (
        lambda: {"a": nn.Linear(5, 3)},
        lambda m, x: F.cross_entropy(m.a(x), torch.arange(4) % 3),
        lambda m, x: m.a(x).logsumexp(-1).sub(m.a(x).gather(-1, (torch.arange(4) % 3)[:, None])[:, 0]).mean(),
        (4, 5),
    ),
}


def worded(name: str) -> Pair:
    """The same layers in the words of torch, and in others."""
    torch.manual_seed(34)
    make, one, other, _ = WORDS[name]
    first, second = shaken(ByHand(one, **make())), ByHand(other, **make())
    second.load_state_dict(first.state_dict())
    return first, second
