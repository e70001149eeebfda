"""What the program's own names hold: tensors, their memory, and graphs behind them, in frames, modules and objects."""

import gc
from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from stetho.capture.source import is_user_code, user_frame
from stetho.profiling.growth import Held, Name

MOST_OBJECTS = 20_000
MOST_NODES = 20_000
DEEPEST = 4
NOT_LOOKED_INTO = (Module, Optimizer, ModuleType, type, str, bytes, int, float, torch.utils.data.DataLoader)


def snapshot(frame: FrameType | None) -> dict[Name, Held]:
    """What every name of the program's frames and of their modules holds now."""
    result: dict[Name, Held] = {}
    for function, file, scope in _scopes(frame):
        for name, value in list(scope.items()):
            held = _weigh(value) if not name.startswith("__") else None
            if held is not None:
                result[Name(name, function, file)] = held
    return result


def _scopes(frame: FrameType | None) -> Iterator[tuple[str, str, dict[str, Any]]]:
    seen: set[int] = set()
    frame = user_frame(frame)
    while frame is not None:
        if is_user_code(frame.f_code):
            file = frame.f_code.co_filename
            if frame.f_locals is not frame.f_globals:
                local = dict(frame.f_locals)
                # What an object holds stands under the names of its parts.
                owner = local.pop("self", None)
                yield frame.f_code.co_name, file, local
                if owner is not None and id(owner) not in seen and hasattr(owner, "__dict__"):
                    seen.add(id(owner))
                    # A module's parts are under names of their own; what else it collects is in its __dict__.
                    parts = {f"self.{key}": value for key, value in vars(owner).items() if not key.startswith("_")}
                    yield type(owner).__name__, file, parts
            if id(frame.f_globals) not in seen:
                seen.add(id(frame.f_globals))
                yield "", file, frame.f_globals
        frame = frame.f_back


def _weigh(value: Any) -> Held | None:
    """Tensors below a value: how many, their bytes, and the nodes of the graphs behind them."""
    tensors: dict[int, Tensor] = {}
    left = [(value, 0)]
    seen: set[int] = set()
    while left and len(seen) < MOST_OBJECTS:
        each, depth = left.pop()
        if id(each) in seen or isinstance(each, NOT_LOOKED_INTO):
            continue
        seen.add(id(each))
        if isinstance(each, Tensor):
            tensors[id(each)] = each
        elif depth < DEEPEST:
            left += [(inner, depth + 1) for inner in _inside(each)]
    if not tensors:
        return None
    storages = {}
    for tensor in tensors.values():
        if tensor.layout == torch.strided and tensor.device.type != "meta":
            storages[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
    nodes = _nodes([tensor.grad_fn for tensor in tensors.values() if tensor.grad_fn is not None])
    return Held(len(tensors), sum(storages.values()), nodes)


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from list(value.values())
    elif isinstance(value, (list, tuple, set, frozenset)) or type(value).__name__ in ("deque", "OrderedDict"):
        yield from list(value)
    elif gc.is_tracked(value) and hasattr(value, "__dict__") and not callable(value):
        yield from list(vars(value).values())


def _nodes(roots: list[Any]) -> int:
    """How many nodes of graphs can be reached."""
    seen: set[Any] = set()
    left = list(roots)
    while left and len(seen) < MOST_NODES:
        node = left.pop()
        if node is not None and node not in seen:
            seen.add(node)
            left += [following for following, _ in node.next_functions]
    return len(seen)
