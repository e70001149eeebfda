"""Every operation of a stretch of code, seen below autograd: which gave a bad value, from what, at which line."""

import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from stetho.capture.source import is_user_code, line_of
from stetho.capture.torch.autopsy.evidence import evidence_of
from stetho.capture.torch.autopsy.nonfinite import Trouble, can_be_bad, trouble_of
from stetho.capture.torch.autopsy.ops import Op, Source
from stetho.capture.torch.autopsy.values import ValueFile
from stetho.capture.torch.models import describe
from stetho.capture.torch.tensors import summary_of

ENGINE: CodeType = torch.autograd.graph._engine_run_backward.__code__
NUMBER_OF = torch.ops.aten._local_scalar_dense.default
LARGEST_COPY = 1 << 22
"""The old values of a tensor that is changed in place are kept up to this size, while the operation lasts."""


class OpTracer(TorchDispatchMode):
    """Looks at the inputs and results of every operation; keeps the troubled ones, or all of them.

    Who made a bad value is known by its storage: views share it, and what is saved for the backward pass keeps it.
    """

    def __init__(
        self, *, until: CodeType | None = None, keep_all: bool = False, skip: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._until = until
        self._skip = skip
        self._keep_all = keep_all
        self.ops: list[Op] = []
        self.by_number: dict[int, Op] = {}
        self.count = 0
        self.phase = "forward"
        self.layers: list[str] = []
        self.line: str | None = None
        """Where the program is, while code runs that has no line of the program on its stack."""
        self.origins: dict[int, str] = {}
        self.on_op: Callable[[Op], None] = lambda _: None
        self.values: ValueFile | None = None
        self._makers: dict[int, int] = {}
        self._known: dict[int, dict[tuple[int, int], Trouble | None]] = {}
        """What was found in views of a storage since it was last written to."""
        self._finite: set[int] = set()
        self._nodes: dict[int, tuple[str, str | None, str | None]] = {}

    def name(self, tensor: Tensor, origin: str) -> None:
        """Tell what a tensor is that no operation of the trace made."""
        self.origins.setdefault(place_of(tensor), origin)

    def maker(self, tensor: Tensor) -> Source | None:
        """Where the bad values of a tensor come from; None if it has none."""
        if not can_be_bad(tensor):
            return None
        place = place_of(tensor)
        if place in self._finite:
            return None
        known = self._known.setdefault(place, {})
        view = (tensor.data_ptr(), tensor.numel()) if tensor.layout is torch.strided else (0, 0)
        trouble = known[view] if view in known else known.setdefault(view, trouble_of(tensor))
        if trouble is None:
            return None
        return Source(self._makers.get(place), self.origins.get(place), trouble.nan, trouble.only_negative)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is NUMBER_OF and not isinstance(args[0], Tensor):
            # A number that torch had wrapped as a tensor comes unwrapped.
            return args[0]
        if self._skip():
            return func(*args, **kwargs)
        before = _before(func, args)
        sources = [source for tensor in _tensors(args, kwargs) if (source := self._source(tensor)) is not None]
        result = func(*args, **kwargs)
        self._look(func, args, kwargs, before, sources, result)
        return result

    def _source(self, tensor: Tensor) -> Source | None:
        place = place_of(tensor)
        if place in self._finite:
            return None
        found = self.maker(tensor)
        if found is None and place not in self._makers:
            self._finite.add(place)
        return found

    def _look(self, func: Any, args: Any, kwargs: Any, before: Any, sources: list[Source], result: Any) -> None:
        self.count += 1
        name = name_of(func)
        node = self._node()
        troubles = [self._result(func, tensor) for tensor in _tensors((result,), {})]
        found = [trouble for trouble in troubles if trouble is not None]
        line, layer, forward = self._where(node)
        if node is None:
            # The autograd node of an operation is made just before it comes here, and has the number before this one.
            number = torch._C._autograd._get_sequence_nr() - 1
            self._nodes.setdefault(number, (name, line, layer))
        if not (found or sources or self._keep_all):
            return
        op = Op(self.count, name, self.phase if node is None else "backward", line, layer, forward, sources=sources)
        op.has_nan, op.has_inf = any(each.nan for each in found), any(each.inf for each in found)
        op.constant = any(_is_infinite(value) for value in (*args, *kwargs.values()))
        if op.is_bad and (not sources or (op.has_nan and not any(source.has_nan for source in sources))):
            op.evidence = evidence_of(func, before, kwargs, result)
        if self._keep_all:
            op.seen = _texts(before, kwargs, result)
            if self.values is not None and not is_view(func):
                op.kept = self.values.keep(before, kwargs, result)
        self.ops.append(op)
        self.by_number[op.number] = op
        self.on_op(op)

    def _result(self, func: Any, tensor: Tensor) -> Trouble | None:
        trouble, place = trouble_of(tensor), place_of(tensor)
        if is_view(func):
            # It made nothing; who made the values it shows is known.
            return trouble
        self._known.pop(place, None)
        if trouble is not None:
            self._makers[place] = self.count
            self._finite.discard(place)
        elif tensor.layout is not torch.strided or tensor.numel() == _room(tensor):
            self._makers.pop(place, None)
            self.origins.pop(place, None)
            self._finite.add(place)
        return trouble

    def _node(self) -> Any:
        return torch._C._current_autograd_node()

    def _where(self, node: Any) -> tuple[str | None, str | None, str | None]:
        """Line, layer, and in a backward pass the name of the operation it is about."""
        line = self._user_line()
        if node is None:
            return line or self.line, (self.layers[-1] if self.layers else None), None
        name = node.name().rpartition("::")[2]
        known = self._nodes.get(node._sequence_nr())
        forward = name.rstrip("0123456789").removesuffix("Backward") or name
        if known is None:
            return line, None, forward
        return line or known[1], known[2], forward if name.endswith("Backward") else known[0]

    def _user_line(self) -> str | None:
        frame: FrameType | None = sys._getframe(3)
        # Whoever called for the backward pass is not where its operations come from.
        while frame is not None and frame.f_code is not self._until and frame.f_code is not ENGINE:
            if is_user_code(frame.f_code):
                return str(line_of(frame))
            frame = frame.f_back
        return None


def name_of(func: Any) -> str:
    """The plain name of an operation: `log`, `softmax`, `mul`.

    >>> name_of(torch.ops.aten._softmax.default), name_of(torch.ops.aten.log_.default)
    ('softmax', 'log')
    """
    name = func.name().rpartition("::")[2].partition(".")[0]
    return str(name.strip("_") or name)


def is_view(func: Any) -> bool:
    """Whether an operation only shows the values of its input in another shape."""
    returns = func._schema.returns
    return bool(returns) and all(r.alias_info is not None and not r.alias_info.is_write for r in returns)


def place_of(tensor: Tensor) -> int:
    """The storage that a tensor shows: what its views have in common with it."""
    if tensor.layout is not torch.strided:
        tensor = tensor._values() if tensor.layout is torch.sparse_coo else tensor.values()
    return int(tensor.untyped_storage()._cdata)


def _room(tensor: Tensor) -> int:
    return tensor.untyped_storage().nbytes() // tensor.element_size()


def _tensors(args: Any, kwargs: Any) -> Iterator[Tensor]:
    for value in (*args, *kwargs.values()):
        for each in value if isinstance(value, (tuple, list)) else (value,):
            if can_be_bad(each):
                yield each


def _before(func: Any, args: Any) -> list[Any]:
    """The arguments, with what the operation is going to change replaced by a copy."""
    values = list(args)
    for place, (argument, value) in enumerate(zip(func._schema.arguments, args, strict=False)):
        writes = argument.alias_info is not None and argument.alias_info.is_write
        if writes and can_be_bad(value) and value.numel() <= LARGEST_COPY:
            values[place] = value.detach().clone()
    return values


def _is_infinite(value: object) -> bool:
    return isinstance(value, float) and value in (float("inf"), float("-inf"))


def _texts(args: Any, kwargs: Any, result: Any) -> list[str]:
    given = [_brief(each) for value in (*args, *kwargs.values()) for each in _flat(value)]
    made = [_brief(each) for each in _flat(result)]
    return [f"{', '.join(given)} → {', '.join(made)}"] if given or made else []


def _brief(tensor: Tensor) -> str:
    """Type, shape and range of a tensor, and how much of it is not finite."""
    summary = summary_of(tensor)
    if summary is None:
        return describe(tensor)
    _, _, nans, infs, _, low, high, *_ = summary.row(1)
    words = [describe(tensor)]
    if summary.finite:
        words.append(f"{low:.4g}" if low == high else f"{low:.4g}…{high:.4g}")
    words += [f"nan {nans:.0f}"] if nans else []
    words += [f"inf {infs:.0f}"] if infs else []
    return " ".join(words)


def _flat(value: Any) -> list[Tensor]:
    return [each for each in (value if isinstance(value, (tuple, list)) else (value,)) if isinstance(each, Tensor)]
