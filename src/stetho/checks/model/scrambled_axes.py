"""scrambled-axes: a view where the axes should have been exchanged."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import outside
from stetho.checks.evidence.weights import weight_of
from stetho.checks.mechanisms.axes import Shape, is_cut_across, is_exchanged
from stetho.checks.mechanisms.dealt import dealt
from stetho.checks.run.facts import Between, Edge, Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

VIEWS = {"View", "UnsafeView", "Reshape", "ReshapeAlias"}
HARMLESS = VIEWS | {"Clone", "Relu", "Tanh", "Sigmoid", "Gelu", "Silu", "LeakyRelu", "Elu", "Mul", "NativeDropout"}
"""Operations that leave each element where it is."""
KEEPS_LEADING_AXES = ("Linear", "LSTM", "GRU", "RNN")


@check(
    severity="error",
    explains=("loss-plateau", "metric-not-following", "overfitting",
              "evaluation-at-chance", "samples-mixed", "stopped-early",
              "too-small-model", "labels-independent-of-inputs", "collapsed-output"),
)  # fmt: skip
def scrambled_axes(window: Window) -> Finding | None:
    """A reshape that mixes axes.

    ## What it finds
    A tensor that changes its shape by `view` or `reshape` alone so that two axes have exchanged their sizes: batch and
    sequence, or channels and places; between layers, or between the model and the loss. Also inputs of convolutions
    whose elements look most alike where neighbours would lie if channels came last.

    ## Why it matters
    A view deals the same row of numbers out anew: it does not turn the axes. What was one sample or one channel is
    spread over many, and no layer after it can put that right.

    ## What to try
    Use `transpose` or `permute` to exchange axes; `view` only joins or splits axes that lie side by side.

    ## When it is wrong
    Axes whose order does not matter, which is rare.
    """
    if (given := dealt(window)) is not None:
        return given
    known = [(edge, shapes) for edge in window.edges if (shapes := _shapes(window, edge)) is not None]
    crossed = [(layer, one) for layer in window.layers for one in layer.between if _is_crossed(one)]
    if not known and not crossed and not window.loss_graphs:
        raise Skip("no reshaping between layers of known shapes was seen")
    for edge, (before, after) in known:
        if is_exchanged(before, after):
            target = window.layer(edge.target, edge.model)
            return window.finding(
                f"{edge.target} gets {list(after)} as a view of {list(before)}: axes are exchanged, elements are not",
                where=window.at(window.given(target.called if target is not None else None, "view"), layer=target),
                confidence=0.95,
                operations=", ".join(edge.ops),
            )
    if not crossed:
        return _before_the_loss(window)
    layer, view = crossed[0]
    return window.finding(
        f"before {layer.name}, {list(view.before)} is seen as {list(view.shape)}: axes change places, elements do not",
        where=window.at(window.given(layer.called, "view"), layer=layer),
        confidence=0.93,
        operations="View",
    )


def _before_the_loss(window: Window) -> Finding | None:
    """Outputs that are dealt out anew on their way to the loss."""
    for graph in window.loss_graphs:
        before = graph.output_shape
        for op in (way[-1] for way in outside(graph) if way):
            if op.op not in VIEWS or not op.reads_output or not before or not op.shape:
                continue
            if is_exchanged(before, op.shape) or is_cut_across(before, op.shape):
                call = next((loss.line for loss in window.losses if loss.phase == "train"), None)
                return window.finding(
                    f"the loss gets {list(op.shape)} as a view of the output {list(before)}: elements stay in place",
                    where=window.at(window.given(call or graph.line, "view")),
                    confidence=0.95,
                    operations=op.op,
                )
    return None


def _is_crossed(one: Between) -> bool:
    """A view across axes; a table that is shifted by one place on purpose (relative positions) is left out."""
    sizes = {*one.before}
    return one.op == "View" and bool(one.before) and not any(size > 1 and size + 1 in sizes for size in sizes)


def _shapes(window: Window, edge: Edge) -> tuple[Shape, Shape] | None:
    """Shapes before and after, if only views lie between."""
    target, before = window.layer(edge.target, edge.model), _given(window, edge)
    if target is None or not VIEWS & set(edge.ops) or not set(edge.ops) <= HARMLESS:
        return None
    after = _taken(window, target, before)
    return (before, after) if before is not None and after is not None else None


def _given(window: Window, edge: Edge) -> Shape | None:
    source = window.layer(edge.source, edge.model)
    if source is not None:
        return source.output_shape
    shapes = (shape for shape in window.batches("train", edge.model)["shape"] if shape is not None)
    return next((tuple(map(int, shape)) for shape in shapes), None) if edge.source == "(input)" else None


def _taken(window: Window, target: Layer, before: Shape | None) -> Shape | None:
    out = target.output_shape
    if out is None or before is None:
        return None
    if target.is_kind(*KEEPS_LEADING_AXES):
        width = target.number("in_features") or target.number("0")
        return (*out[:-1], int(width)) if width else None
    weight = weight_of(window, target)
    if target.is_kind("Conv") and weight is not None and len(before) == len(out):
        places = before[1:-1] if weight.shape[1] == before[-1] else ()
        return (out[0], weight.shape[1], *places) if places else None
    return None
