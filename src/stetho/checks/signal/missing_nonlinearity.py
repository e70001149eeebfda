"""missing-nonlinearity: linear layers that follow each other with nothing between them."""

from collections.abc import Iterator

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.depth import WEIGHTED
from stetho.checks.evidence.weights import weight_of
from stetho.checks.run.facts import Edge, Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

PASSES_ON = ("Dropout", "BatchNorm", "Flatten", "Unflatten", "Identity", "AvgPool", "AdaptiveAvgPool", "ZeroPad",
             "Upsample", "PixelShuffle")  # fmt: skip
"""Layers that are linear in their input, at least at a given moment."""
LINEAR_OPS = {"View", "UnsafeView", "Reshape", "ReshapeAlias", "Transpose", "T", "Permute", "Squeeze", "Unsqueeze",
              "Expand", "Clone", "Alias", "Contiguous", "NativeDropout", "NativeBatchNorm", "AvgPool2D",
              "AdaptiveAvgPool2D", "Mean", "ToCopy", "Slice", "Select", "Flatten", "MkldnnConvolution"}  # fmt: skip


@check(
    severity="error",
    explains=("loss-plateau", "too-small-model", "stopped-early", "metric-not-following", "learning-rate-too-low"),
)
def missing_nonlinearity(window: Window) -> Finding | None:
    """Linear layers without an activation between them.

    ## What it finds
    Pairs of linear or convolution layers with only reshaping, dropout, pooling by mean or batch norm between them.
    An error when no activation is left in the whole model, else a warning; a note between a convolution and a
    linear layer, and between two parts of a model (the code of an encoder is linear by design).

    ## Why it matters
    Two linear maps one after another are one linear map: the second layer adds parameters and no power.

    ## What to try
    Put an activation between them, as in `nn.ReLU()`.

    ## When it is wrong
    Factorised layers (narrow in the middle, or depthwise with pointwise), frozen ones, and residual sums are left
    out, as are models of one layer. Linear networks as an object of study are what this check cannot tell.
    """
    weighted = [layer for layer in window.forward_order if layer.is_kind(*WEIGHTED)]
    if len(weighted) < 2:
        raise Skip("no model has two linear layers")
    if not window.edges:
        raise Skip("it is not known which layer feeds which")
    pairs = [(source, target) for source in weighted for target in _reached_linearly(window, source)]
    useless = [(source, target) for source, target in pairs if not _is_factorised(window, source, target)]
    if not useless:
        return None
    source, target = min(useless, key=lambda pair: pair[0].kind != pair[1].kind)
    linked = {edge.target for edge in window.edges} & {layer.name for layer in weighted}
    is_whole = len({other.name for _, other in pairs}) >= len(linked) and not _has_function(window)
    return window.finding(
        f"{source.name} and {target.name} follow each other without an activation"
        + (": the whole model is linear" if is_whole else f", and {len(useless) - 1} more pairs" * (len(useless) > 1)),
        where=window.at(_gap(window, source, target), layer=target),
        severity="error"
        if is_whole
        else "warning"
        if source.kind == target.kind and _are_one_part(useless)
        else "note",
        confidence=0.95 if is_whole else 0.8,
        pairs=", ".join(f"{one.name} to {other.name}" for one, other in useless[:8]),
    )


def _gap(window: Window, source: Layer, target: Layer) -> str | None:
    """Where an activation would go: around the call of the first layer, or before the second one in a container."""
    used = window.use_line(source)
    return used if used == source.called else target.line


def _reached_linearly(window: Window, layer: Layer) -> Iterator[Layer]:
    """The weighted layers that a layer feeds through nothing but linear operations and layers."""
    if not all(_is_linear(edge) for edge in window.edges if (edge.source, edge.model) == (layer.name, layer.model)):
        # It feeds something else as well: a residual sum, a gate, another branch.
        return
    trail, seen = [layer.name], {layer.name}
    while trail:
        here = trail.pop()
        for edge in window.edges:
            if (edge.source, edge.model) != (here, layer.model) or edge.target in seen or not _is_linear(edge):
                continue
            target = window.layer(edge.target, edge.model)
            seen.add(edge.target)
            if target is not None and target.is_kind(*WEIGHTED):
                yield target
            elif target is not None and target.is_kind(*PASSES_ON):
                trail.append(edge.target)


def _is_linear(edge: Edge) -> bool:
    return set(edge.ops) <= LINEAR_OPS


def _is_factorised(window: Window, source: Layer, target: Layer) -> bool:
    """Whether the two make sense as one map: narrow between them, one of them grouped, or one not trained."""
    one, other = weight_of(window, source), weight_of(window, target)
    if one is None or other is None or not (one.trainable and other.trainable):
        return True
    if any(layer.number("groups") not in (None, 1.0) for layer in (source, target)):
        return True
    middle = one.shape[0]
    # Of convolutions, the second sees further than the first alone: the pair is not one layer of the same size.
    return middle < min(one.shape[1], other.shape[0])


def _are_one_part(pairs: list[tuple[Layer, Layer]]) -> bool:
    """Whether layers of one part follow each other; between two parts (encoder, predictor) lies a code of its own."""
    parts = [(source.name.rpartition(".")[0], target.name.rpartition(".")[0]) for source, target in pairs]
    return any(one == other or "" in (one, other) for one, other in parts)


def _has_function(window: Window) -> bool:
    """Whether an operation that is not linear stands anywhere between two layers, or at the end of the model."""
    inside = {op.op for graph in window.loss_graphs for op in graph.output_ops}
    bent = {"Relu", "Tanh", "Sigmoid", "Gelu", "Silu", "LeakyRelu", "Elu", "Softplus", "Hardswish", "Mish", "Selu"}
    return bool(bent & (inside | {op for edge in window.edges for op in edge.ops}))
