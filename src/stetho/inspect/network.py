"""A model as nested boxes: layers hold layers and operations, and edges are the tensors between operations."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from stetho.inspect.flops import flops_of
from stetho.inspect.operations import LayerCall, Operand, Operation, Recording, TensorFacts
from stetho.inspect.structure import Part
from stetho.inspect.summarizing import Row, summarize

Kind = Literal["layer", "operation", "input", "output"]
ROOT = 0


@dataclass(frozen=True, slots=True)
class Node:
    """A layer, an operation, or an end of the network; `numbers` are what it can be coloured by."""

    id: int
    kind: Kind
    label: str
    sub: str = ""
    parent: int | None = ROOT
    about: Mapping[str, Any] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """A tensor from the operation, or the input, that made it to one that takes it."""

    source: int
    target: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Network:
    """The whole picture, without places."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    failure: str | None = None

    def children(self) -> dict[int, list[int]]:
        """What lies directly inside of each layer."""
        found: dict[int, list[int]] = {node.id: [] for node in self.nodes if node.kind == "layer"}
        for node in self.nodes:
            if node.parent is not None:
                found[node.parent].append(node.id)
        return found


def network_of(
    parts: list[Part], recording: Recording, name: str, stats: Mapping[str, Mapping[str, float]] | None = None
) -> Network:
    """The picture of one recorded call; `stats` are numbers by the name of a layer, as a run recorded them."""
    return _Builder(parts, recording, name, stats or {}).network()


class _Builder:
    def __init__(
        self, parts: list[Part], recording: Recording, name: str, stats: Mapping[str, Mapping[str, float]]
    ) -> None:
        self._recording = recording
        self._name = name
        self._stats = stats
        self._calls = sorted(recording.calls)
        self._rows = dict(
            zip((call.number for call in self._calls), summarize(parts, recording, name).rows, strict=False)
        )
        self._outermost = [call for call in self._calls if call.parent is None]
        self._nodes: list[Node] = []
        self._edges: list[Edge] = []
        self._boxes: dict[int | None, int] = {None: ROOT, -1: ROOT}
        self._operations: dict[int, int] = {}
        self._inputs: dict[str, int] = {}

    def network(self) -> Network:
        """Boxes, then operations with the edges to them, then what comes out."""
        self._layers()
        for operation in self._recording.operations:
            if operation.phase == "forward":
                self._operation(operation)
        self._output()
        failure = str(self._recording.failure) if self._recording.failure is not None else None
        return Network(self._name, tuple(self._nodes), tuple(self._edges), failure)

    def _layers(self) -> None:
        # One call from outside is the picture itself; several, as of a GAN, are boxes in it.
        if len(self._outermost) == 1 and self._outermost[0].first == 0:
            self._boxes[self._outermost[0].number] = ROOT
            row = self._rows.get(self._outermost[0].number)
            self._add("layer", self._name, "", None, self._about(self._outermost[0], row), self._numbers(row))
        else:
            self._add("layer", self._name, "", None, {}, {})
        names: dict[int | None, str] = {call.number: call.name for call in self._calls}
        for call in self._calls:
            if call.number in self._boxes or call.first == call.last:
                continue
            parent = self._boxes.get(call.parent, ROOT)
            above = names.get(call.parent, "")
            label = call.name.removeprefix(f"{above}." if above else "") or self._name
            row = self._rows.get(call.number)
            node = self._add("layer", label, call.kind, parent, self._about(call, row), self._numbers(row))
            self._boxes[call.number] = node

    def _operation(self, operation: Operation) -> None:
        parent = self._boxes.get(operation.call, ROOT)
        flops = flops_of(operation)
        own = sum(each.tensor.elements for each in operation.inputs if (each.origin or "").startswith("parameter"))
        about = {
            "operation": operation.function,
            "layer": operation.layer,
            "line": operation.line,
            "arguments": {key: _text(value) for key, value in operation.arguments.items()},
            "inputs": [_operand(each) for each in operation.inputs],
            "outputs": list(map(str, operation.outputs)),
        }
        numbers = _present(
            parameters=own,
            FLOPs=flops.forward,
            **{"backward FLOPs": flops.backward, "kept bytes": operation.saved, "seconds": operation.seconds},
        )
        node = self._add("operation", operation.name, _shapes(operation.outputs), parent, about, numbers)
        self._operations[operation.number] = node
        for operand in operation.inputs:
            self._edge(operand, node)

    def _edge(self, operand: Operand, target: int) -> None:
        source = self._operations.get(operand.maker) if operand.maker is not None else None
        if source is None and (operand.origin or "").startswith("input"):
            source = self._input(operand)
        if source is not None:
            self._edges.append(Edge(source, target, _shapes([operand.tensor])))

    def _input(self, operand: Operand) -> int:
        name = operand.origin or "input"
        if name not in self._inputs:
            about = {"outputs": [str(operand.tensor)]}
            self._inputs[name] = self._add(
                "input", name.removeprefix("input "), _shapes([operand.tensor]), ROOT, about, {}
            )
        return self._inputs[name]

    def _output(self) -> None:
        made = [operand for call in self._outermost[-1:] for operand in call.outputs]
        if made:
            shapes = _shapes([operand.tensor for operand in made])
            about = {"inputs": [_operand(each) for each in made]}
            node = self._add("output", "output", shapes, ROOT, about, {})
            for operand in made:
                self._edge(operand, node)

    def _add(
        self,
        kind: Kind,
        label: str,
        sub: str,
        parent: int | None,
        about: Mapping[str, Any],
        numbers: Mapping[str, float],
    ) -> int:
        self._nodes.append(Node(len(self._nodes), kind, label, sub, parent, about, numbers))
        return len(self._nodes) - 1

    def _about(self, call: LayerCall, row: Row | None) -> dict[str, Any]:
        return {
            "layer": call.name,
            "class": call.kind,
            "settings": row.settings if row is not None else "",
            "line": call.line,
            "inputs": [_operand(each) for each in call.inputs],
            "outputs": [str(each.tensor) for each in call.outputs],
            **({"failed": call.error} if call.error else {}),
        }

    def _numbers(self, row: Row | None) -> dict[str, float]:
        if row is None:
            return {}
        found = _present(
            parameters=row.parameters,
            FLOPs=row.flops,
            **{"backward FLOPs": row.backward_flops, "kept bytes": row.saved, "seconds": row.seconds},
        )
        return found | dict(self._stats.get(row.name, {}))


def _present(**numbers: float) -> dict[str, float]:
    return {name: value for name, value in numbers.items() if value}


def _operand(operand: Operand) -> str:
    return f"{operand.tensor}{f' {operand.origin}' if operand.origin else ''}"


def _shapes(tensors: Iterable[TensorFacts]) -> str:
    texts = list(_shape_texts(tensors))
    return ", ".join(texts[:3]) + (" …" if len(texts) > 3 else "")


def _shape_texts(tensors: Iterable[TensorFacts]) -> Iterator[str]:
    for each in tensors:
        yield "×".join(map(str, each.shape)) or "scalar"


def _text(value: Any) -> Any:
    if isinstance(value, TensorFacts):
        return str(value)
    return [_text(each) for each in value] if isinstance(value, list) else value
