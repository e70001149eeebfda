"""Pairs of implementations of one model: the one that people use, and one by hand, right or with a planted fault."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class HandAttention(nn.Module):
    """Attention by hand, with weights of its own for queries, keys and values."""

    def __init__(self, width: int, heads: int, fault: str = "") -> None:
        super().__init__()
        self.q, self.k, self.v, self.proj = (nn.Linear(width, width) for _ in range(4))
        self.heads, self.fault = heads, fault

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape

        def split(y: Tensor) -> Tensor:
            return y.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        scores = q @ k.transpose(-2, -1)
        if self.fault != "scale":
            scores = scores / math.sqrt(width // self.heads)
        shares = scores.softmax(-2 if self.fault == "softmax axis" else -1)
        mixed = shares @ v
        if self.fault != "heads":
            mixed = mixed.transpose(1, 2)
        return self.proj(mixed.reshape(batch, length, width))


def attention(fault: str = "") -> tuple[nn.Module, nn.Module]:
    """`nn.MultiheadAttention` inside a small model, and attention by hand with the same weights."""
    torch.manual_seed(1)

    class Packed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attn = nn.MultiheadAttention(8, 2, batch_first=True)

        def forward(self, x: Tensor) -> Tensor:
            return self.attn(x, x, x, need_weights=False)[0]

    first, second = Packed(), HandAttention(8, 2, fault)
    nn.init.normal_(first.attn.in_proj_bias)
    nn.init.normal_(first.attn.out_proj.bias)
    weights, biases = first.attn.in_proj_weight.chunk(3), first.attn.in_proj_bias.chunk(3)
    with torch.no_grad():
        for layer, weight, bias in zip((second.q, second.k, second.v), weights, biases, strict=True):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        second.proj.load_state_dict(first.attn.out_proj.state_dict())
        if fault == "transposed":
            second.v.weight.copy_(weights[2].T)
        if fault == "bias":
            second.k.bias.zero_()
            second.q.bias.zero_()
    return first, second


class HandLSTM(nn.Module):
    """An LSTM as a loop over its cell."""

    def __init__(self, inputs: int, hidden: int, fault: str = "") -> None:
        super().__init__()
        self.of_x, self.of_h = nn.Linear(inputs, 4 * hidden), nn.Linear(hidden, 4 * hidden, bias=False)
        self.hidden, self.fault = hidden, fault

    def cell(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        i, f, g, o = (self.of_x(x) + self.of_h(h)).chunk(4, -1)
        if self.fault == "gates":
            f, g = g, f
        if self.fault == "forget":
            f = f + 1.0
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * (c if self.fault == "tanh" else torch.tanh(c))
        return h, c

    def forward(self, x: Tensor) -> Tensor:
        h = c = x.new_zeros(x.shape[0], self.hidden)
        given = []
        for t in range(x.shape[1]):
            h, c = self.cell(x[:, t], h, c)
            given.append(h)
        return torch.stack(given, 1)


def lstm(fault: str = "") -> tuple[nn.Module, nn.Module]:
    """`nn.LSTM` and the loop over a cell, with the same weights."""
    torch.manual_seed(2)
    first, second = nn.LSTM(5, 6, batch_first=True), HandLSTM(5, 6, fault)
    with torch.no_grad():
        second.of_x.weight.copy_(first.weight_ih_l0)
        second.of_h.weight.copy_(first.weight_hh_l0)
        second.of_x.bias.copy_(first.bias_ih_l0 + first.bias_hh_l0)
    return first, second


class PlainBlock(nn.Module):
    """A block of GPT-2, written down from the paper."""

    def __init__(self, width: int, heads: int, fault: str = "") -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width, eps=1e-6 if fault == "epsilon" else 1e-5)
        self.norm2 = nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.heads, self.fault = heads, fault

    def attend(self, x: Tensor) -> Tensor:
        b, t, c = x.shape
        q, k, v = (y.view(b, t, self.heads, c // self.heads).transpose(1, 2) for y in self.qkv(x).split(c, -1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(c // self.heads)
        seen = torch.ones(t, t, dtype=torch.bool).tril(1 if self.fault == "mask" else 0)
        scores = scores.masked_fill(~seen, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c))

    def forward(self, x: Tensor) -> Tensor:
        mixed = self.attend(self.norm1(x))
        x = mixed if self.fault == "residual" else x + mixed
        y = self.norm2(x)
        if self.fault == "norm axis":
            y = F.layer_norm(x.transpose(1, 2), x.shape[1:2]).transpose(1, 2) * self.norm2.weight + self.norm2.bias
        y = F.gelu(self.up(y), approximate="none" if self.fault == "gelu" else "tanh")
        return x + self.down(y)


class PlainGPT(nn.Module):
    """GPT-2 without its library."""

    def __init__(self, width: int = 16, heads: int = 2, depth: int = 2, fault: str = "") -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(31, width), nn.Embedding(12, width)
        # The fault sits in the second block: the first one must not be blamed.
        self.blocks = nn.ModuleList(PlainBlock(width, heads, fault if i == 1 else "") for i in range(depth))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 31, bias=False)
        self.fault = fault

    def forward(self, input_ids: Tensor) -> Tensor:
        places = torch.arange(input_ids.shape[1]) + (1 if self.fault == "places" else 0)
        x = self.tokens(input_ids) + self.places(places)
        for block in self.blocks:
            x = block(x)
        return self.head(x if self.fault == "last norm" else self.norm(x))


def gpt(fault: str = "", *, carried: bool = True) -> tuple[nn.Module, nn.Module]:
    """GPT-2 of transformers, from a configuration, and the plain one."""
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(3)
    first = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=31,
            n_positions=12,
            n_embd=16,
            n_layer=2,
            n_head=2,
            use_cache=False,
            bos_token_id=0,
            eos_token_id=0,
        )
    )
    for parameter in first.parameters():
        nn.init.normal_(parameter, 0.05, 0.3)
    second = PlainGPT(fault=fault)
    if carried:
        carry_gpt(first, second)
    return first, second


def carry_gpt(first: nn.Module, second: PlainGPT) -> None:
    """Copy the weights by hand; those of the library lie transposed."""
    theirs = first.transformer
    with torch.no_grad():
        second.tokens.weight.copy_(theirs.wte.weight)
        second.places.weight.copy_(theirs.wpe.weight)
        second.norm.load_state_dict(theirs.ln_f.state_dict())
        second.head.weight.copy_(first.lm_head.weight)
        for mine, block in zip(second.blocks, theirs.h, strict=True):
            mine.norm1.load_state_dict(block.ln_1.state_dict())
            mine.norm2.load_state_dict(block.ln_2.state_dict())
            for layer, conv in ((mine.qkv, block.attn.c_attn), (mine.out, block.attn.c_proj)):
                layer.weight.copy_(conv.weight.T)
                layer.bias.copy_(conv.bias)
            for layer, conv in ((mine.up, block.mlp.c_fc), (mine.down, block.mlp.c_proj)):
                layer.weight.copy_(conv.weight.T)
                layer.bias.copy_(conv.bias)


class ConvNet(nn.Module):
    """Convolutions with batch norm."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6)
        self.conv2, self.bn2 = nn.Conv2d(6, 6, 3, padding=1), nn.BatchNorm2d(6)
        self.fc = nn.Linear(6, 4)

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(x)))
        return self.fc(x.mean((2, 3)))


class FusedNet(nn.Module):
    """The same with the norms folded into the convolutions, and other names."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 6, 3, padding=1)
        self.body = nn.Conv2d(6, 6, 3, padding=1)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classify = nn.Linear(6, 4)
        self.fault = fault

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.stem(x))
        x = self.body(x)
        x = F.leaky_relu(x, 0.01) if self.fault == "activation" else torch.relu(x)
        x = x.amax((2, 3)) if self.fault == "pool" else self.pool(x).flatten(1)
        return self.classify(x)


def convolution(fault: str = "", *, carried: bool = True) -> tuple[nn.Module, nn.Module]:
    """A net with batch norms and its fused twin."""
    torch.manual_seed(4)
    first, second = ConvNet(), FusedNet(fault)
    for norm in (first.bn1, first.bn2):
        nn.init.normal_(norm.running_mean)
        nn.init.uniform_(norm.running_var, 0.1, 2.0)
        nn.init.normal_(norm.weight, 1.0, 0.3)
        nn.init.normal_(norm.bias)
    with torch.no_grad():
        for fused, conv, norm in ((second.stem, first.conv1, first.bn1), (second.body, first.conv2, first.bn2)):
            epsilon = 1e-3 if fault == "epsilon" and norm is first.bn2 else norm.eps
            factor = norm.weight / (norm.running_var + epsilon).sqrt()
            if carried:
                fused.weight.copy_(conv.weight * factor[:, None, None, None])
                mean = torch.zeros(6) if fault == "mean" and norm is first.bn2 else norm.running_mean
                fused.bias.copy_(norm.bias + (conv.bias - mean) * factor)
        if carried:
            second.classify.load_state_dict(first.fc.state_dict())
    return first, second


class HandGRU(nn.Module):
    """A GRU as a loop over its cell."""

    def __init__(self, inputs: int, hidden: int, fault: str = "") -> None:
        super().__init__()
        self.of_x, self.of_h = nn.Linear(inputs, 3 * hidden), nn.Linear(hidden, 3 * hidden)
        self.hidden, self.fault = hidden, fault

    def forward(self, x: Tensor) -> Tensor:
        h = x.new_zeros(x.shape[0], self.hidden)
        given = []
        for t in range(x.shape[1]):
            (xr, xz, xn), (hr, hz, hn) = self.of_x(x[:, t]).chunk(3, -1), self.of_h(h).chunk(3, -1)
            reset, update = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
            new = torch.tanh(xn + (update if self.fault == "reset" else reset) * hn)
            h = (1 - update) * new + update * h
            given.append(h)
        return torch.stack(given, 1)


def gru(fault: str = "") -> tuple[nn.Module, nn.Module]:
    """`nn.GRU` and the loop over a cell, with the same weights."""
    torch.manual_seed(5)
    first, second = nn.GRU(5, 6, batch_first=True), HandGRU(5, 6, fault)
    with torch.no_grad():
        second.of_x.weight.copy_(first.weight_ih_l0)
        second.of_h.weight.copy_(first.weight_hh_l0)
        second.of_x.bias.copy_(first.bias_ih_l0)
        second.of_h.bias.copy_(first.bias_hh_l0)
    return first, second
