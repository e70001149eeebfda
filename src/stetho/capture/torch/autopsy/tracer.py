"""Every operation of a stretch of code, seen below autograd: which gave a bad value, from what, at which line."""

import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from stetho.capture.source import is_user_code
from stetho.capture.torch.autopsy.evidence import Overwritten, evidence_of
from stetho.capture.torch.autopsy.kinds import Kind, kind_of
from stetho.capture.torch.autopsy.log import Log, Position, Row, brief
from stetho.capture.torch.autopsy.nonfinite import Trouble, can_be_bad, trouble_of
from stetho.capture.torch.autopsy.ops import Source
from stetho.capture.torch.autopsy.values import ValueFile
from stetho.capture.torch.models import describe
from stetho.stats.kernel import Sightings

ENGINE: CodeType = torch.autograd.graph._engine_run_backward.__code__
NUMBER_OF = torch.ops.aten._local_scalar_dense.default
LARGEST_COPY = 1 << 22
"""The old values of a tensor that is changed in place are kept up to this size, while the operation lasts."""
LARGEST_COPY_IN_UPDATE = 1 << 14
"""Optimizers change everything in place, and an element before the change says little there."""
MOST_ROWS = 50_000

_node: Callable[[], Any] = torch._C._current_autograd_node
_sequence_number: Callable[[], int] = torch._C._autograd._get_sequence_nr
_new: Callable[[type[Row], tuple[Any, ...]], Row] = (
    tuple.__new__
)  # the constructor of a named tuple takes three times as long


class OpTracer(TorchDispatchMode):
    """Looks at the inputs and results of every operation.

    Who made a bad value is known by its storage: views share it, and what is saved for the backward pass keeps it.
    Most operations have to do with finite values only. For them a row of references is all that is written down.
    """

    supports_higher_order_operators = True

    def __init__(
        self,
        *,
        until: CodeType | None = None,
        skip: Callable[[], bool] = lambda: False,
        on_error: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._on_error = on_error or _reraise
        self._is_broken = False
        self._until = until
        self._skip = skip
        self.log = Log()
        self.count = 0
        self.phase = "forward"
        self.layers: list[str] = []
        self.line: str | None = None
        """Where the program is, while code runs that has no line of the program on its stack."""
        self.origins: dict[int, str] = {}
        self.values: ValueFile | None = None
        self._unlisted = Sightings(brief)
        """Of operations that get no row, since there are too many of them."""
        self._kinds: dict[int, Kind] = {}
        self._makers: dict[int, int] = {}
        self._finite: set[int] = set()
        """Storages that Python had to look at, and has found to be finite."""
        self._nodes: dict[int, Row] = {}
        self._older_nodes: dict[int, Row] = {}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        # Nothing is compiled while a mode is on, so the wrapper that would keep the compiler out is of no use.
        return False

    def name(self, tensor: Tensor, origin: str) -> None:
        """Tell what a tensor is that no operation of the trace made."""
        self.origins.setdefault(place_of(tensor), origin)

    def maker(self, tensor: Tensor) -> Source | None:
        """Where the bad values of a tensor come from; None if it has none."""
        if not can_be_bad(tensor):
            return None
        place = place_of(tensor)
        trouble = trouble_of(tensor) if place not in self._finite else None
        if trouble is None:
            return None
        return Source(self._makers.get(place), self.origins.get(place), trouble.nan, trouble.only_negative)

    def turn(self, log: Log) -> Log:
        """Write on another log from now on; gives the one so far."""
        done, self.log = self.log, log
        self._older_nodes, self._nodes = self._nodes, {}
        self._finite.clear()
        return done

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is NUMBER_OF and not isinstance(args[0], Tensor):
            # A number that torch had wrapped as a tensor comes unwrapped.
            return args[0]
        if self._is_broken or self._skip():
            return func(*args, **kwargs)
        try:
            kind = self._kinds.get(id(func)) or self._kind(func)
            sightings = self.log.sightings if self.log.count < MOST_ROWS else self._unlisted
            given = sightings.see(args, kwargs)
            sources = None if sightings.all_finite else self._sources(args, kwargs)
            before = self._before(kind, args) if kind.writes else args
        except Exception:
            self._break()
            return func(*args, **kwargs)
        result = func(*args, **kwargs)
        try:
            for place in kind.writes:
                if place < len(args) and isinstance(args[place], Tensor):
                    sightings.written(args[place])
            made = sightings.see(result) if kind.is_view else sightings.see_new(result)
            row = self._row(kind, given, made)
            if sources is not None or not sightings.all_finite:
                self._look(row, args, kwargs, before, sources or [], result)
            elif self._makers and not kind.is_view:
                self._all_finite(result)
            if self.values is not None and not kind.is_view:
                self.log.kept[row.number] = self.values.keep(before, kwargs, result)
        except Exception:
            self._break()
        return result

    def _kind(self, func: Any) -> Kind:
        kind = self._kinds[id(func)] = kind_of(func)
        return kind

    def _break(self) -> None:
        # Whatever went wrong, the program's own operations go on.
        self._is_broken = True
        self._on_error()

    def _row(self, kind: Kind, given: list[int], made: list[int]) -> Row:
        self.count += 1
        node = _node()
        position, layer = self._position(), self.layers[-1] if self.layers else None
        if node is None:
            row = _new(Row, (self.count, kind, self.phase, position or self.line, layer, None, None, given, made))
            # The autograd node of an operation is made just before it comes here, and has the number before this one.
            self._nodes.setdefault(_sequence_number() - 1, row)
        else:
            number = node._sequence_nr()
            forward = self._nodes.get(number) or self._older_nodes.get(number)
            row = _new(Row, (self.count, kind, "backward", position, layer, node.name(), forward, given, made))
        log = self.log
        log.count += 1
        if log.count <= MOST_ROWS:
            log.rows.append(row)
        elif log.count % MOST_ROWS == 0:
            self._unlisted.clear()
            self._older_nodes, self._nodes = self._nodes, {}
        return row

    def _position(self) -> Position:
        frame: FrameType | None = sys._getframe(3)
        # Whoever called for the backward pass is not where its operations come from.
        while frame is not None:
            code = frame.f_code
            if code is self._until or code is ENGINE:
                return None
            if is_user_code(code):
                return code, frame.f_lasti
            frame = frame.f_back
        return None

    def _sources(self, args: Any, kwargs: Any) -> list[Source]:
        found = []
        for tensor in _tensors(args, kwargs):
            source = self.maker(tensor)
            if source is not None:
                found.append(source)
            elif _is_whole(tensor):
                self._finite.add(place_of(tensor))
        return found

    def _look(self, row: Row, args: Any, kwargs: Any, before: Any, sources: list[Source], result: Any) -> None:
        """Something is bad, or can be read by Python only."""
        troubles = [self._result(row.kind, tensor) for tensor in _tensors((result,), {})]
        found = [trouble for trouble in troubles if trouble is not None]
        if not (found or sources):
            return
        op = row.op()
        op.sources = sources
        op.has_nan, op.has_inf = any(each.nan for each in found), any(each.inf for each in found)
        op.constant = any(_is_infinite(value) for value in (*args, *kwargs.values()))
        if op.is_bad and (not sources or (op.has_nan and not any(source.has_nan for source in sources))):
            op.evidence = evidence_of(row.kind.func, before, kwargs, result)
        self.log.ops.append(op)
        self.log.by_number[op.number] = op

    def _result(self, kind: Kind, tensor: Tensor) -> Trouble | None:
        trouble = trouble_of(tensor)
        if kind.is_view:
            # It made nothing; who made the values it shows is known.
            return trouble
        if trouble is None:
            self._is_finite(tensor)
        else:
            self._makers[place_of(tensor)] = self.count
            self._finite.discard(place_of(tensor))
        return trouble

    def _all_finite(self, result: Any) -> None:
        for tensor in _tensors((result,), {}):
            self._is_finite(tensor)

    def _is_finite(self, tensor: Tensor) -> None:
        if _is_whole(tensor):
            self._makers.pop(place_of(tensor), None)
            self.origins.pop(place_of(tensor), None)

    def _before(self, kind: Kind, args: Any) -> list[Any]:
        """The arguments, with what the operation is going to change replaced by a copy."""
        largest = LARGEST_COPY_IN_UPDATE if self.phase == "optimizer" else LARGEST_COPY
        values = list(args)
        for place in kind.writes:
            value = args[place] if place < len(args) else None
            if isinstance(value, Tensor) and can_be_bad(value):
                values[place] = value.clone() if value.numel() <= largest else Overwritten(describe(value))
        return values


def place_of(tensor: Tensor) -> int:
    """The storage that a tensor shows: what its views have in common with it."""
    if tensor.layout is not torch.strided:
        tensor = tensor._values() if tensor.layout is torch.sparse_coo else tensor.values()
    return int(tensor.untyped_storage()._cdata)


def _is_whole(tensor: Tensor) -> bool:
    """Whether a tensor shows all of its storage."""
    if tensor.layout is not torch.strided:
        return True
    return tensor.numel() == tensor.untyped_storage().nbytes() // tensor.element_size()


def _reraise() -> None:
    raise  # the error that is being handled


def _tensors(args: Any, kwargs: Any) -> Iterator[Tensor]:
    for value in (*args, *kwargs.values()):
        for each in value if isinstance(value, (tuple, list)) else (value,):
            if can_be_bad(each):
                yield each


def _is_infinite(value: object) -> bool:
    return isinstance(value, float) and value in (float("inf"), float("-inf"))
