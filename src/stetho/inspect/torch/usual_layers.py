"""Layers of torch's own of which it is known without looking which operations they do.

To see an operation costs some thirty microseconds in a model at work, most of it for finding Python's code and data
again that the kernels have pushed out of the caches. Most operations of most models are those of a few layers.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from torch import Tensor, nn
from torch._C import _len_torch_function_stack
from torch.nn import Module, Parameter, functional
from torch.nn.modules.module import _has_any_global_hook

PLAIN_TENSORS = frozenset((Tensor, Parameter, type(None)))
"""Types that leave the work to torch, and do not look on themselves."""

PRODUCTS: dict[type, Any] = {
    nn.Linear: functional.linear,
    nn.Conv1d: functional.conv1d,
    nn.Conv2d: functional.conv2d,
    nn.Conv3d: functional.conv3d,
}
"""Layers that multiply what they are given with their weight, by this function."""
_FUNCTIONS = (nn.ReLU, nn.GELU, nn.SiLU, nn.Sigmoid, nn.Tanh, nn.LeakyReLU, nn.ELU, nn.Softmax, nn.LogSoftmax)
_POOLS = (nn.MaxPool2d, nn.AvgPool2d, nn.AdaptiveAvgPool2d, nn.Flatten)
SINGLE = frozenset((*_FUNCTIONS, *_POOLS, nn.Dropout, nn.Embedding, nn.LayerNorm, nn.GroupNorm))
"""Layers that are one operation, which counts as no FLOPs."""
NORMS = frozenset((nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d))
"""Layers that are one operation, and one more while they count batches."""


class UsualWork(NamedTuple):
    """What a layer does: a product by `function`, or so many operations that count as no FLOPs."""

    function: Any = None
    uncounted: int = 0
    while_training: int = 0
    """And so many more in training mode."""


WORK: dict[type, UsualWork] = {
    **{kind: UsualWork(function) for kind, function in PRODUCTS.items()},
    **dict.fromkeys(SINGLE, UsualWork(uncounted=1)),
}
COUNTING, NOT_COUNTING = UsualWork(uncounted=1, while_training=1), UsualWork(uncounted=1)
"""Norms that count their batches, and those that do not."""


def usual_work(parts: Iterable[Module]) -> dict[int, UsualWork]:
    """By the identity of a layer, its work, for those that do nothing but what their class says.

    >>> linear, norm = nn.Linear(2, 3), nn.BatchNorm1d(3)
    >>> [usual_work([layer])[id(layer)].uncounted for layer in (linear, norm)]
    [0, 1]
    """
    found = {}
    for part in parts:
        work = WORK.get(type(part))
        if work is None and type(part) in NORMS:
            counts = part._buffers.get("num_batches_tracked") is not None
            work = COUNTING if counts else NOT_COUNTING
        if work is not None and not _is_changed(part):
            found[id(part)] = work
    return found


def _is_changed(part: Module) -> bool:
    held = part.__dict__
    weights = held["_parameters"]
    return (
        "forward" in held
        or (weights and not PLAIN_TENSORS.issuperset(map(type, weights.values())))
        or held.get("padding_mode", "zeros") != "zeros"
    )


def is_as_usual(module: Module, args: tuple[Any, ...]) -> bool:
    """Whether a layer of known work is called with one tensor, and nobody has hooked it."""
    return len(args) == 1 and type(args[0]) is Tensor and not (module._forward_hooks or module._forward_pre_hooks)


def are_others_looking() -> bool:
    """Whether somebody besides us sees the functions of torch, or the calls of all modules."""
    return _len_torch_function_stack() > 0 or _has_any_global_hook()  # type: ignore[no-untyped-call]
