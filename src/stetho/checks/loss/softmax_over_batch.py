"""softmax-over-batch: probabilities are normalised over the samples instead of over the classes."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import MIXED, SPOILED, Chain, all_chains, last_in_model
from stetho.checks.mechanisms.alone import alone
from stetho.checks.run.facts import Op
from stetho.checks.window import Window
from stetho.findings.finding import Finding

PICKING = ("Index", "Gather")
BETWEEN = frozenset(("Log", "Add", "Clamp", "ClampMin", "LogSoftmax", "Mul", "Div", "Exp", "Softmax"))


@check(severity="error", explains=(*SPOILED, *MIXED, "double-softmax", "missing-log", "frozen-parameter"))
def softmax_over_batch(window: Window) -> Finding | None:
    """Softmax over the wrong dimension.

    ## What it finds
    The softmax nearest to the loss runs over the first dimension, which holds the samples, or over another one than
    the classes: for outputs of three dimensions that are flattened to rows of classes, and for those of which the loss
    reads the classes along the second dimension, as it does for pictures. Or a softmax inside of the model runs over a
    dimension with a single place: a layer gives one score to each of several, or an attention asks one question.

    ## Why it matters
    The samples of a batch compete with each other: the probability of a class in one sample depends on which others
    happen to be there, and a batch of one is always sure. One score by itself has the weight 1, whatever it is.

    ## What to try
    Give the dimension of the classes: `dim=-1` for rows of classes, `dim=1` for pictures and other outputs with a class
    at each place. Without `dim`, torch takes the first dimension of tensors with one or three.

    ## When it is wrong
    Similarities of all pairs of a batch, which may be normalised either way, are left out when they are square.
    """
    lonely = alone(window)
    if lonely is not None:
        return lonely
    if not window.loss_graphs:
        raise Skip("the graph of no loss was recorded")
    sizes = window.batches("train")["size"]
    size = float(np.nanmax(sizes)) if np.isfinite(sizes).any() else None
    for graph, chain in all_chains(window):
        op = _softmax_of_loss(chain)
        if op is None or op.shape is None or op.dim is None:
            continue
        dim = op.dim % len(op.shape) if op.shape else 0
        if (
            dim == 0
            and len(op.shape) >= 2
            and op.shape[0] != op.shape[1]
            and (op.shape[0] in (size, _rows(graph.output_shape)) or _gives_rows_of_classes(chain, op))
        ):
            what = f"over the {op.shape[0]} samples of the batch"
        elif _is_other_than_classes(chain, op, dim):
            what = f"over dimension {dim} of {list(op.shape)}, which are {op.shape[dim]} positions and not classes"
        else:
            continue
        layer = last_in_model(window, "Softmax", "LogSoftmax")
        inside = None if any(op is each for each in graph.ops) else window.returns()
        written = window.given(graph.place, "softmax over samples" if dim == 0 else "softmax")
        return window.finding(
            f"the softmax of the loss runs {what}",
            where=window.at((layer.line if layer is not None else inside) or written, layer=layer),
            confidence=0.95,
            dimension=dim,
            shape=str(list(op.shape)),
        )
    return None


def _rows(shape: tuple[int, ...] | None) -> int | None:
    return shape[0] if shape else None


def _softmax_of_loss(chain: Chain) -> Op | None:
    """The last softmax of the chain as data flows, if nothing of the model lies between it and the loss."""
    for op in chain:
        if op.op in ("Softmax", "LogSoftmax"):
            return op
        if op.op in ("Addmm", "Mm", "Bmm", "Convolution", "NativeLayerNorm", "NativeBatchNorm", "Baddbmm"):
            return None
    return None


def _gives_rows_of_classes(chain: Chain, op: Op) -> bool:
    """Whether the loss reads a class out of each row, so that the second dimension holds the classes."""
    after = chain[: chain.index(op)]
    if after and after[0].op == "NllLoss" and all(each.op in ("NllLoss", "Index", "Log") for each in after):
        return True
    return any(_picks_one_of_each_row(each, op) for each in after[-2:])


def _picks_one_of_each_row(pick: Op, op: Op) -> bool:
    """Whether a loss written by hand takes one entry of each row, as `p[arange(n), target]` and `gather` do."""
    if op.shape is None or len(op.shape) != 2 or op.shape[1] == 1:
        return False
    return pick.op in PICKING and pick.shape in (op.shape[:1], (op.shape[0], 1))


def _is_other_than_classes(chain: Chain, op: Op, dim: int) -> bool:
    shape, place = op.shape or (), chain.index(op)
    if _is_read_elsewhere(chain[:place], shape, dim):
        return True
    if len(shape) != 3 or dim == 2 or place == 0 or shape[dim] == shape[-1]:
        return False
    rows = chain[place - 1].shape
    return chain[place - 1].op == "View" and rows == (shape[0] * shape[1], shape[2])


def _is_read_elsewhere(after: Chain, shape: tuple[int, ...], dim: int) -> bool:
    """Whether the loss reads classes along the second dimension, as it always does, and the softmax runs over another.

    Where both are of one size nobody can tell: similarities of all pairs may be normalised either way.
    """
    if len(shape) < 3 or dim < 2 or shape[dim] == shape[1] or not after:
        return False
    is_read = after[0].op in ("NllLoss", "NllLoss2D")
    return is_read and all(each.op in BETWEEN and each.shape == shape for each in after[1:])
