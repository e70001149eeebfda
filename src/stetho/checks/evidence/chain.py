"""The way from the loss back to the model, as a chain of operations: what the loss was really made of."""

from collections.abc import Collection, Iterator, Sequence
from math import prod

from stetho.checks.run.facts import Layer, LossGraph, Op
from stetho.checks.window import Window

RESHAPING = frozenset(
    ("View", "UnsafeView", "Reshape", "ReshapeAlias", "Squeeze", "Unsqueeze", "Transpose", "T", "Permute", "Clone",
     "ToCopy", "Alias", "Expand", "AsStrided", "Select", "Slice", "Index", "Split", "Chunk", "Unbind", "Contiguous")
)  # fmt: skip
"""Operations that move values about and leave each of them what it is."""

AVERAGING = frozenset(("Mean", "Sum", "Div", "Mul", "Neg", "Add", "Nanmean"))

MIXED = ("samples-mixed", "future-visible")
"""What it looks like where places that should not know of each other are normalised together."""
SPOILED = (
    "loss-plateau", "learning-rate-too-low", "learning-rate-too-high", "stopped-early", "metric-not-following",
    "vanishing-gradient", "too-small-model", "initial-loss-off", "collapsed-output", "saturated-activation",
    "dead-relu", "output-activation", "overfitting", "class-imbalance",
)  # fmt: skip
"""What a loss that is computed wrongly brings about."""

TURNING = ("Neg", "Rsub")

Chain = tuple[Op, ...]


def chains(graph: LossGraph) -> list[Chain]:
    """The ways from the loss to the model's output, each going on with the last operations inside of the model.

    >>> graph = LossGraph(ops=(Op("NllLoss"), Op("LogSoftmax")), output_ops=(Op("Softmax"), Op("Addmm")))
    >>> [op.op for op in chains(graph)[0]]
    ['NllLoss', 'LogSoftmax', 'Softmax', 'Addmm']
    """
    return [way + inside(graph, way) for way in outside(graph)]


def inside(graph: LossGraph, way: Chain) -> Chain:
    """The last operations inside of the model, for the output that this way ends at."""
    return (way[-1].output_ops if way else ()) or graph.output_ops


def outside(graph: LossGraph) -> list[Chain]:
    """The same, up to the model's output only."""
    if not any(op.reads_output for op in graph.ops):
        return [graph.ops]
    return [to_loss(graph.ops, place) for place, op in enumerate(graph.ops) if op.reads_output]


def to_loss(ops: Chain, place: int | None) -> Chain:
    """The operations from the loss to the one at a place."""
    way: list[Op] = []
    while place is not None and 0 <= place < len(ops) and len(way) < len(ops):
        way.append(ops[place])
        place = ops[place].feeds
    return tuple(reversed(way))


def names(chain: Chain) -> list[str]:
    """The operations by name, without those that only reshape."""
    return [op.op for op in chain if op.op not in RESHAPING]


def following(chain: Chain, place: int) -> Op | None:
    """The operation before this one in the data flow, past those that only reshape."""
    return next((op for op in chain[place + 1 :] if op.op not in RESHAPING), None)


def last_in_model(window: Window, *kinds: str) -> Layer | None:
    """The last layer of one of these kinds, if the model ends in it."""
    layers = [layer for layer in window.forward_order if not layer.is_kind("Identity", "Flatten", "Dropout")]
    return layers[-1] if layers and layers[-1].is_kind(*kinds) else None


def all_chains(window: Window) -> Iterator[tuple[LossGraph, Chain]]:
    """Every way of every loss that went backward."""
    for graph in window.loss_graphs:
        for chain in chains(graph):
            yield graph, chain


def ways_to(window: Window, ops: Collection[str]) -> Iterator[tuple[LossGraph, Chain]]:
    """Every way to the model, and to each of these operations: of ways that meet, only one goes on to the model."""
    yield from all_chains(window)
    for graph in window.loss_graphs:
        for place, op in enumerate(graph.ops):
            if op.op in ops and op.feeds is not None:
                yield graph, to_loss(graph.ops, place)


def is_negated(way: Sequence[Op]) -> bool:
    """Whether the sign turns on a way.

    >>> is_negated([Op("Mean"), Op("Mul", negative=True)]), is_negated([Op("Neg"), Op("Pow", subtracted=True)])
    (True, False)
    """
    return sum((op.op in TURNING) + op.negative + op.subtracted for op in way) % 2 == 1


def elements(shape: tuple[int, ...] | None) -> int:
    """How many values a shape holds.

    >>> elements((32, 5)), elements(()), elements(None)
    (160, 1, 0)
    """
    return 0 if shape is None else prod(shape)
