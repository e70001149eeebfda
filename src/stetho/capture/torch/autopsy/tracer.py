"""Every operation of a stretch of code, seen below autograd: which gave a bad value, from what, at which line."""

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from stetho.capture.torch.autopsy.evidence import Overwritten, evidence_of
from stetho.capture.torch.autopsy.kinds import Kind, kind_of
from stetho.capture.torch.autopsy.log import Log, Row
from stetho.capture.torch.autopsy.nonfinite import Trouble, bad_facts, can_be_bad, trouble_of
from stetho.capture.torch.autopsy.ops import Source
from stetho.capture.torch.autopsy.values import ValueFile
from stetho.capture.torch.models.models import describe

ENGINE: CodeType = torch.autograd.graph._engine_run_backward.__code__
NUMBER_OF = torch.ops.aten._local_scalar_dense.default
LARGEST_COPY = 1 << 22
"""The old values of a tensor that is changed in place are kept up to this size, while the operation lasts. Those of an
optimizer are not: it changes everything in place, and what was there before says little of why it is bad now."""
MOST_ROWS = 50_000
"""A step that has more operations begins a new log."""

KINDS: dict[int, Kind] = {}
"""Operations that any tracer has met, by their identity."""


class Ours(Protocol):
    """Knows whether a function of ours is running, whose operations are none of the program's."""

    entered: float | None


class Nobody:
    """Where all operations are the program's."""

    entered: float | None = None


NOBODY = Nobody()


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
        ours: Ours = NOBODY,
        on_error: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._on_error = on_error or _reraise
        self._is_broken = False
        self._ours = ours
        # Whoever called for the backward pass is not where its operations come from.
        stops = (ENGINE,) if until is None else (ENGINE, until)
        self.log, self.before, self.earlier = Log(stops), Log(stops), Log(stops)
        self.count = 0
        self.phase = "forward"
        self.layers: list[str] = []
        self.line: str | None = None
        """Where the program is, while code runs that has no line of the program on its stack."""
        self.origins: dict[int, str] = {}
        self.values: ValueFile | None = None
        self._makers: dict[int, int] = {}
        self._finite: set[int] = set()
        """Storages that Python had to look at, and has found to be finite."""

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
        maker, origin = self._makers.get(place), self.origins.get(place)
        facts = bad_facts(tensor, masks=True) if maker is None and origin is None else None
        return Source(maker, origin, trouble.nan, trouble.only_negative, facts)

    def turn(self) -> Log:
        """Begin a new log; gives the one so far, which is there until the next turn."""
        self.earlier.clear(self.count)
        self.log, self.before, self.earlier = self.earlier, self.log, self.before
        self._finite.clear()
        return self.before

    def row(self, place: int) -> Row:
        """What is at a place of the log."""
        return self.log.row(place, self.before)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is NUMBER_OF and not isinstance(args[0], Tensor):
            # A number that torch had wrapped as a tensor comes unwrapped.
            return args[0]
        if self._is_broken or self._ours.entered is not None:
            return func(*args, **kwargs)
        try:
            kind = KINDS.get(id(func)) or _kind(func)
            log = self.log if len(self.log.trail) < MOST_ROWS else self._go_on()
            sightings = log.sightings
            given = sightings.see(args, kwargs)
            sources = None if sightings.all_finite else self._sources(args, kwargs)
            before = copied(kind, args) if kind.writes and self.phase != "optimizer" else args
        except Exception:
            self._break()
            return func(*args, **kwargs)
        result = kind.call(*args, **kwargs)
        try:
            for place in kind.writes_aside:
                sightings.written(args[place : place + 1])
            made = sightings.see(result) if kind.is_view else sightings.see_new(result)
            self.count += 1
            place = log.trail.add(kind, self.phase, self.line, self.layers, given, made, len(sightings))
            if sources is not None or not sightings.all_finite:
                self._look(self.row(place), args, kwargs, before, sources or [], result)
            elif self._makers and not kind.is_view:
                self._all_finite(result)
            if self.values is not None and not kind.is_view:
                log.kept[self.count] = self.values.keep(before, kwargs, result)
        except Exception:
            self._break()
        return result

    def _go_on(self) -> Log:
        done = self.turn()
        self.log.goes_on_from(done)
        return self.log

    def _break(self) -> None:
        # Whatever went wrong, the program's own operations go on.
        self._is_broken = True
        self._on_error()

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
            known = before if before is not args else overwritten(row.kind, args)
            op.evidence = evidence_of(row.kind.func, known, kwargs, result)
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


def _kind(func: Any) -> Kind:
    kind = KINDS[id(func)] = kind_of(func)
    return kind


def copied(kind: Kind, args: Any) -> list[Any]:
    """The arguments, with what the operation is going to change replaced by a copy."""
    values = overwritten(kind, args)
    for place in kind.writes:
        if place < len(args) and isinstance(values[place], Overwritten) and args[place].numel() <= LARGEST_COPY:
            values[place] = args[place].clone()
    return values


def overwritten(kind: Kind, args: Any) -> list[Any]:
    """The arguments, without the values of those that the operation changes."""
    values = list(args)
    for place in kind.writes:
        if place < len(args) and can_be_bad(args[place]):
            values[place] = Overwritten(describe(args[place]))
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
