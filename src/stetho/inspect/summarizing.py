"""A model as a tree of calls with shapes and costs: pure functions of its parts and of one recorded call."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from stetho.inspect.flops import Flops, flops_of, is_counted
from stetho.inspect.operations import Failure, LayerCall, Recording, TensorFacts
from stetho.inspect.structure import Part

FREE = (Flops(), 0)
Status = Literal["ran", "again", "failed", "not called", "not reached", "not seen"]


class Row(NamedTuple):
    """One call of a layer, or a layer that was not called; costs include those of the layers inside of it."""

    name: str
    kind: str
    depth: int
    status: Status
    settings: str = ""
    inputs: tuple[TensorFacts, ...] = ()
    outputs: tuple[TensorFacts, ...] = ()
    parameters: int = 0
    trainable: int = 0
    shared: bool = False
    """Its parameters, or some of them, belong to a layer above as well."""
    flops: int = 0
    backward_flops: int = 0
    saved: int = 0
    seconds: float = 0.0
    line: str | None = None
    repeats: int = 1
    """How many equal layers in a row this one stands for."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole model: parameters are counted once, however many names they have."""

    parameters: int = 0
    trainable: int = 0
    parameter_bytes: int = 0
    buffer_bytes: int = 0
    input_bytes: int = 0
    flops: int = 0
    backward_flops: int = 0
    saved: int = 0
    seconds: float = 0.0
    operations: int = 0
    repeated_names: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """The rows of a model in the order in which its layers are called, and their totals."""

    name: str
    rows: tuple[Row, ...]
    totals: Totals
    failure: Failure | None = None
    is_called: bool = True


def summarize(parts: Sequence[Part], recording: Recording | None, name: str) -> Summary:
    """The summary of a model, with shapes and costs where it was called."""
    costs = _costs(recording) if recording is not None else {}
    tree = _Tree(parts, costs)
    rows = list(tree.called(recording) if recording is not None else tree.standing())
    return Summary(
        name,
        tuple(rows),
        _totals(parts, recording, costs),
        recording.failure if recording is not None else None,
        recording is not None,
    )


SCRIPTED = ("ScriptModule", "TracedModule")


class _Tree:
    """Puts rows together; knows which parameters were counted already."""

    def __init__(self, parts: Sequence[Part], costs: dict[int, tuple[Flops, int]]) -> None:
        self._parts = {part.name: part for part in parts}
        self._costs = costs
        self._sizes = _sizes(parts)
        self._counted: set[int] = set()
        self._seen: set[str] = set()

    def called(self, recording: Recording) -> Iterator[Row]:
        """A row for each call, each after the one that it happened in; then what was not called."""
        depths: dict[int, int] = {}
        end = "not reached" if recording.failure is not None else "not called"
        for call in sorted(recording.calls):
            depth = depths[call.number] = depths[call.parent] + 1 if call.parent is not None else 0
            yield self._call(call, depth)
        missing = {name for name in self._parts if name not in self._seen and name}
        # Lists of layers are not called themselves.
        at_work = _all_above(self._seen) if missing else set()
        for name in [name for name in self._parts if name in missing - at_work]:
            above = name.rpartition(".")[0]
            is_inside = any(above in missing for above in _names_above(name) if above != name)
            if not is_inside or (above not in self._seen and above in at_work):
                yield self._standing(name, 1, "not seen" if self._is_in_script(name) else end)  # type: ignore[arg-type]

    def standing(self) -> Iterator[Row]:
        """A row for each part of a model that was not called at all."""
        for name in self._parts:
            yield self._standing(name, name.count(".") + bool(name), "not called")

    def _is_in_script(self, name: str) -> bool:
        """Whether a part is below one that was called and runs its parts without Python, as TorchScript does."""
        above = next((above for above in _names_above(name) if above in self._seen), None)
        return above is not None and any(word in self._parts[above].kind for word in SCRIPTED)

    def _call(self, call: LayerCall, depth: int) -> Row:
        is_again = call.name in self._seen
        self._seen.add(call.name)
        flops, saved = self._costs.get(call.number, FREE)
        status: Status = "failed" if call.error is not None else "again" if is_again else "ran"
        return self._row(call.name, depth, status, call, flops, saved)

    def _standing(self, name: str, depth: int, status: Status) -> Row:
        return self._row(name, depth, status, None, *FREE)

    def _row(self, name: str, depth: int, status: Status, call: LayerCall | None, flops: Flops, saved: int) -> Row:
        part = self._parts.get(name)
        is_shared = False
        if part is not None and part.weights:
            own = [weight.key for weight in part.weights]
            is_shared = status != "again" and not self._counted.isdisjoint(own)
            self._counted.update(own)
        parameters, trainable = self._sizes.get(name, (0, 0))
        settings = part.settings if part is not None else ""
        if call is None:
            kind = part.kind if part is not None else ""
            return Row(
                name, kind, depth, status, settings, parameters=parameters, trainable=trainable, shared=is_shared
            )
        return Row(
            name,
            call.kind,
            depth,
            status,
            settings,
            tuple([operand.tensor for operand in call.inputs]),
            tuple([operand.tensor for operand in call.outputs]),
            parameters,
            trainable,
            is_shared,
            flops.forward,
            flops.backward,
            saved,
            call.seconds,
            call.line,
        )


def _sizes(parts: Sequence[Part]) -> dict[str, tuple[int, int]]:
    """By the name of a layer, how many parameters there are in it, and how many of them are trained.

    >>> from stetho.inspect.structure import Weight
    >>> weight = Weight(7, "weight", (2,), 2, 8, True)
    >>> _sizes([Part("a", "Net"), Part("a.b", "Tied", weights=(weight,)), Part("c", "Tied", weights=(weight,))])
    {'a.b': (2, 2), 'a': (2, 2), '': (2, 2), 'c': (2, 2)}
    """
    sizes: dict[str, tuple[int, int]] = {}
    homes: dict[int, list[str]] = {}
    """By the key of a parameter, the layers that it is counted in."""
    for part in parts:
        if not part.weights:
            continue
        names = [*_names_above(part.name)]
        for key, _, _, elements, _, trainable in part.weights:
            counted = homes.get(key, ())
            new = [name for name in names if name not in counted] if counted else names
            homes[key] = [*counted, *new] if counted else names
            trained = elements if trainable else 0
            for name in new:
                before = sizes.get(name, (0, 0))
                sizes[name] = before[0] + elements, before[1] + trained
    return sizes


def _names_above(name: str) -> Iterator[str]:
    """A name and those of everything that it is a part of.

    >>> list(_names_above("a.b"))
    ['a.b', 'a', '']
    """
    while name:
        yield name
        name = name.rpartition(".")[0]
    yield ""


def _all_above(names: Iterable[str]) -> set[str]:
    """All names, and those of everything that these are parts of.

    >>> sorted(_all_above(["a.b", "a.c"]))
    ['', 'a', 'a.b', 'a.c']
    """
    found = {""}
    for name in names:
        while name not in found:
            found.add(name)
            name = name.rpartition(".")[0]
    return found


def _costs(recording: Recording) -> dict[int, tuple[Flops, int]]:
    """By the number of a call: what all operations inside of it cost, and keep for the backward pass."""
    forward: dict[int, int] = defaultdict(int)
    backward: dict[int, int] = defaultdict(int)
    saved: dict[int, int] = defaultdict(int, recording.kept)
    parents = {call.number: call.parent for call in recording.calls}
    for operation in recording.operations:
        if operation.phase != "forward":
            continue
        if is_counted(operation.name):
            flops = flops_of(operation)
            forward[operation.call] += flops.forward
            backward[operation.call] += flops.backward
        if operation.saved:
            saved[operation.call] += operation.saved
    # The later a call began, the deeper it may lie: its sums are complete before they are added to the one above.
    for number in sorted(parents, reverse=True):
        above = parents[number]
        if above is not None:
            forward[above] += forward[number]
            backward[above] += backward[number]
            saved[above] += saved[number]
    return {number: (Flops(forward[number], backward[number]), saved[number]) for number in {*parents, -1}}


def _totals(parts: Iterable[Part], recording: Recording | None, costs: dict[int, tuple[Flops, int]]) -> Totals:
    parts = list(parts)
    weights = {weight.key: weight for part in parts for weight in part.weights}
    names = sum(len(part.weights) for part in parts)
    calls = recording.calls if recording is not None else []
    outermost = [call for call in calls if call.parent is None]
    sums = [
        costs[number] for number in [*(call.number for call in outermost), *([-1] if recording is not None else [])]
    ]
    given = {(operand.origin, operand.tensor) for call in outermost for operand in call.inputs if operand.maker is None}
    return Totals(
        parameters=sum(weight.elements for weight in weights.values()),
        trainable=sum(weight.elements for weight in weights.values() if weight.trainable),
        parameter_bytes=sum(weight.bytes for weight in weights.values()),
        buffer_bytes=sum(part.buffers for part in parts),
        input_bytes=sum(tensor.bytes for _, tensor in given),
        flops=sum(flops.forward for flops, _ in sums),
        backward_flops=sum(flops.backward for flops, _ in sums),
        saved=sum(saved for _, saved in sums),
        seconds=recording.seconds if recording is not None else 0.0,
        operations=_operations(recording) if recording is not None else 0,
        repeated_names=names - len(weights),
    )


def _operations(recording: Recording) -> int:
    return recording.uncounted + sum(each.phase == "forward" for each in recording.operations)
