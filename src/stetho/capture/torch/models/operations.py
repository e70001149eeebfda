"""Operations between layers that say more than their name: attention weights, flat activations, views across axes."""

from math import prod
from typing import Any

import torch
from torch import Tensor

from stetho.capture.torch.losses.graph_nodes import is_cut_at_zero
from stetho.capture.torch.models.attended import Attended

VIEWS = ("ViewBackward0", "UnsafeViewBackward0", "ReshapeAliasBackward0")
MOST_ROWS = 4096
"""So many rows of attention weights, or elements of an activation, are enough for a mean."""

MOST_SAMPLES = 16
"""So many samples are enough to see what a mask leaves of them."""

SMALL_FACTOR = 0.02
"""The scale of attention, one over the root of the width of a head, is larger."""

Fact = dict[str, object]


def reads_saved() -> bool:
    """Whether what the graph keeps may be read: somebody else's hooks (checkpoints) would run if it were."""
    return torch._C._autograd._top_saved_tensors_default_hooks(True) is None


def fact_of(node: Any, attended: Attended, *, reads: bool) -> Fact | None:
    """What is worth knowing of one node of the graph; None for most. `reads` allows a look at what it keeps.

    Weights of attention are compared with the inputs of the model that may have been `attended` to.
    """
    name = type(node).__name__
    if name in VIEWS:
        return _view(node)
    if not reads:
        return None
    try:
        with torch.no_grad():
            return _kept_fact(node, name, attended)
    except RuntimeError:
        # What was changed in place since it was kept cannot be read; nor does the program need it to be.
        return None


def _kept_fact(node: Any, name: str, attended: Attended) -> Fact | None:
    """What the values say that a node keeps for its gradient."""
    if name in ("SoftmaxBackward0", "SafeSoftmaxBackward0"):
        return _softmax(node, attended)
    if name in ("SigmoidBackward0", "TanhBackward0"):
        return _flatness(node, name)
    if name == "ReluBackward0":
        return _cut_off(node._saved_result)
    if is_cut_at_zero(node):
        return _cut_off(node._saved_self)
    if name in ("MulBackward0", "DivBackward0"):
        return _scale(node, name)
    if name.startswith("ScaledDotProduct"):
        return _attention(node, attended)
    return None


def _view(node: Any) -> Fact | None:
    before, after = tuple(map(int, node._saved_self_sym_sizes)), tuple(node._input_metadata[0].shape)
    return {"op": "View", "shape": list(after), "before": list(before)} if crosses_axes(before, after) else None


def crosses_axes(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether a view gives an axis of the same size other elements, in place of joining and splitting axes.

    >>> crosses_axes((8, 9, 32), (8, 4, 9, 8)), crosses_axes((8, 9, 32), (8, 9, 4, 8)), crosses_axes((8, 9, 4), (72, 4))
    (True, False, False)
    """
    old, new = _strides(before), _strides(after)
    ends_before, ends_after = ({size * stride for size, stride in axes} for axes in (old, new))
    if ends_before <= ends_after or ends_after <= ends_before:
        return False
    sizes = {size for size, _ in old} & {size for size, _ in new}
    moved = {size for size in sizes if not {s for n, s in old if n == size} & {s for n, s in new if n == size}}
    return bool(moved)


def _strides(shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """Each axis longer than one, with the distance of its elements."""
    return [(size, prod(shape[place + 1 :])) for place, size in enumerate(shape) if size > 1]


def _softmax(node: Any, attended: Attended) -> Fact | None:
    weights: Tensor = node._saved_result
    dim = node._saved_dim
    dim = (dim if dim < 1 << 32 else dim - (1 << 64)) % max(weights.dim(), 1)
    if weights.dim() < 2:
        return None
    rows = weights.movedim(dim, -1)
    fact: Fact = {"op": "Softmax", "shape": list(weights.shape), "dim": dim, "places": _places(rows)}
    return fact | (attended.shares(rows) if dim else {})


def _places(weights: Tensor) -> float:
    """On how many places a row of weights lies, on average."""
    rows = weights.reshape(-1, weights.shape[-1])[:MOST_ROWS].float()
    return float((1 / rows.square().sum(-1).clamp(min=1e-12)).mean())


def _flatness(node: Any, name: str) -> Fact:
    result: Tensor = node._saved_result
    some = result.reshape(-1)[:MOST_ROWS].float()
    slope = 4 * some * (1 - some) if name.startswith("Sigmoid") else 1 - some.square()
    return {"op": name.removesuffix("Backward0"), "shape": list(result.shape), "slope": float(slope.mean())}


def _cut_off(kept: Tensor) -> Fact | None:
    """A ReLU that lets nothing through; one that does is as it should be, and not worth a word."""
    return None if bool((kept > 0).any()) else {"op": "Relu", "shape": list(kept.shape), "slope": 0.0}


def _scale(node: Any, name: str) -> Fact | None:
    """A number that takes away most of what goes through it."""
    number = node._saved_other
    if not isinstance(number, Tensor) or number.dim() != 0 or number.device.type != "cpu" or number.is_complex():
        return None
    factor = abs(float(number)) if name.startswith("Mul") else 1 / max(abs(float(number)), 1e-30)
    shape = list(node._input_metadata[0].shape)
    return {"op": "Scale", "shape": shape, "factor": factor} if 0 < factor < SMALL_FACTOR else None


def _attention(node: Any, attended: Attended) -> Fact | None:
    query, key, scale = node._saved_query, node._saved_key, node._saved_scale
    if query.dim() != 4 or node._saved_is_causal:
        return None
    mask = getattr(node, "_saved_attn_mask", None)
    some = slice(1 if mask is None else MOST_SAMPLES)
    scores = query[some].float() @ key[some].float().transpose(-1, -2) * (scale or query.shape[-1] ** -0.5)
    fact: Fact = {"op": "Softmax", "shape": [*query.shape[:3], key.shape[-2]], "dim": 3}
    if mask is None:
        return fact | {"places": _places(scores.softmax(-1))}
    # A mask alone makes rows sharp, so that of their places nothing is said.
    weights = (scores + (mask[some] if len(mask) == len(query) else mask)).softmax(-1).nan_to_num(0.0)
    shares = attended.shares(weights, len(query))
    return fact | shares if shares else None
