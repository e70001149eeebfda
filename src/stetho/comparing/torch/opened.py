"""Functions that are many operations in one, done one by one: each can then be seen, and compared with others' own."""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import torch
from torch import Tensor

from stetho.comparing.torch.chances import DROPOUT

MOST_STEPS = 64
"""Sequences up to this length are done step by step; longer ones stay one operation."""


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """What `scaled_dot_product_attention` computes, without its dropout.

    >>> q = torch.randn(2, 4, 8)
    >>> torch.allclose(attention(q, q, q), torch.nn.functional.scaled_dot_product_attention(q, q, q), atol=1e-6)
    True
    """
    del dropout_p
    if enable_gqa:
        times = query.size(-3) // key.size(-3)
        key, value = key.repeat_interleave(times, -3), value.repeat_interleave(times, -3)
    scores = query @ key.transpose(-2, -1) * (1 / sqrt(query.size(-1)) if scale is None else scale)
    if is_causal:
        attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=query.device).tril()
    if attn_mask is None:
        return scores.softmax(-1) @ value
    if attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(attn_mask.logical_not(), float("-inf"))
    else:
        scores = scores + attn_mask
    # A row that sees nothing gives zeros, and no NaN.
    shares = scores.softmax(-1)
    if bool(shares.isnan().any()):
        shares = shares.masked_fill((scores == float("-inf")).all(-1, keepdim=True), 0.0)
    return shares @ value


def masked_product(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """What `baddbmm` computes: torch's attention adds its mask with it, where others form the product first.

    >>> mask, q = torch.zeros(1, 2, 2), torch.ones(1, 2, 3)
    >>> torch.equal(masked_product(mask, q, q.mT), torch.baddbmm(mask, q, q.mT))
    True
    """
    product = torch.bmm(batch1, batch2)
    return (product if alpha == 1 else product * alpha) + (input if beta == 1 else input * beta)


def lstm_cell(x: Tensor, state: tuple[Tensor, ...], weights: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """One step of an LSTM; its gates stand in the order input, forget, cell, output."""
    hidden, cell = state
    gates = _linear(x, weights, 0) + _linear(hidden, weights, 1)
    i, f, g, o = gates.chunk(4, -1)
    cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell


def gru_cell(x: Tensor, state: tuple[Tensor, ...], weights: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """One step of a GRU; its gates stand in the order reset, update, new."""
    (hidden,) = state
    from_x, from_h = _linear(x, weights, 0).chunk(3, -1), _linear(hidden, weights, 1).chunk(3, -1)
    reset, update = (from_x[0] + from_h[0]).sigmoid(), (from_x[1] + from_h[1]).sigmoid()
    new = (from_x[2] + reset * from_h[2]).tanh()
    return ((1 - update) * new + update * hidden,)


def tanh_cell(x: Tensor, state: tuple[Tensor, ...], weights: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """One step of a plain recurrent network."""
    return ((_linear(x, weights, 0) + _linear(state[0], weights, 1)).tanh(),)


def _linear(x: Tensor, weights: Sequence[Tensor], place: int) -> Tensor:
    bias = weights[2 + place] if len(weights) > 2 else None
    return torch.nn.functional.linear(x, weights[place], bias)


CELLS = {"lstm": lstm_cell, "gru": gru_cell, "rnn_tanh": tanh_cell}


def recurrent(name: str, args: Sequence[Any]) -> Any:
    """What `lstm`, `gru` or `rnn_tanh` of torch computes, step by step."""
    inputs, states, weights, has_biases, count, _, _, both_ways, batch_first = args
    states = states if isinstance(states, (tuple, list)) else (states,)
    steps = list(inputs.unbind(1 if batch_first else 0))
    ways, each = (2 if both_ways else 1), (4 if has_biases else 2)
    ends: list[tuple[Tensor, ...]] = []
    for layer in range(count):
        given: list[list[Tensor]] = []
        for way in range(ways):
            place = layer * ways + way
            state = tuple(part[place] for part in states)
            out = []
            for x in reversed(steps) if way else steps:
                state = CELLS[name](x, state, weights[place * each : place * each + each])
                out.append(state[0])
            ends.append(state)
            given.append(out[::-1] if way else out)
        steps = given[0] if ways == 1 else [torch.cat(pair, -1) for pair in zip(*given, strict=True)]
    return torch.stack(steps, 1 if batch_first else 0), *(torch.stack(parts) for parts in zip(*ends, strict=True))


def opened(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Callable[[], Any] | None:
    """The same computation in small steps; None for what is one step already, or cannot be opened."""
    name = getattr(function, "__name__", "")
    if name == "scaled_dot_product_attention":
        return lambda: attention(*args, **kwargs)
    if name == "baddbmm" and "out" not in kwargs and kwargs.get("beta", 1) != 0:
        return lambda: masked_product(*args, **kwargs)
    if name in DROPOUT:
        return lambda: args[0] if args else kwargs["input"]
    if name not in CELLS or len(args) != 9 or not isinstance(args[2], (tuple, list)):
        return None
    inputs, weights, batch_first = args[0], args[2], args[8]
    expected = args[4] * (2 if args[7] else 1) * (4 if args[3] else 2)
    if inputs.dim() != 3 or inputs.size(1 if batch_first else 0) > MOST_STEPS or len(weights) != expected:
        return None
    return lambda: recurrent(name, args)
