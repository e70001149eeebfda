"""loss-broadcast: predictions and targets of different shapes are compared each with each."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.chain import SPOILED, Chain, elements, outside
from stetho.checks.run.facts import LossGraph, Op
from stetho.checks.window import Window
from stetho.findings.finding import Finding

POINTWISE = ("Sub", "Rsub", "Mul", "Add", "Div")


@check(severity="error", explains=(*SPOILED, "target-not-scaled", "labels-independent-of-inputs"))
def loss_broadcast(window: Window) -> Finding | None:
    """Shapes that broadcast silently in the loss.

    ## What it finds
    A loss call whose input and target have different shapes that together make a larger one, such as [32, 1] and [32]
    to [32, 32]; or the same in a loss written by hand, where the result of an operation with a tensor from outside has
    the samples in two dimensions.

    ## Why it matters
    Every prediction is compared with every target of the batch, so the best that the model can do is to predict the
    mean of all targets.

    ## What to try
    Bring both to one shape: `target.view_as(output)`, `output.squeeze(-1)` or `target.unsqueeze(-1)`.

    ## When it is wrong
    Losses over all pairs on purpose. Where both sides depend on the model, nothing is said.
    """
    if not window.loss_graphs and not window.losses:
        raise Skip("no loss was recorded")
    for loss in window.losses:
        shapes = loss.input_shape, loss.target_shape
        if loss.call in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "poisson_nll_loss", "kl_div") and all(
            shapes
        ):
            grown = _together(shapes[0] or (), shapes[1] or ())
            if elements(grown) > max(map(elements, shapes)):
                return window.finding(
                    f"{loss.call} compares {list(shapes[0] or ())} with {list(shapes[1] or ())}: "
                    f"{elements(grown)} differences {list(grown)} for {elements(shapes[0])} predictions",
                    where=window.at(loss.line),
                    confidence=0.98,
                    predictions=elements(shapes[0]),
                    compared=elements(grown),
                )
    for graph in window.loss_graphs:
        op = _grown(graph)
        if op is not None:
            return window.finding(
                f"the loss makes {list(op.shape or ())} out of predictions {list(graph.output_shape or ())}: "
                "every prediction meets every target of the batch",
                where=window.at(window.given(graph.place, "shapes")),
                confidence=0.96,
                predictions=elements(graph.output_shape),
                compared=elements(op.shape),
            )
    return None


def _together(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(one, other)
    except ValueError:
        return ()


def _output_shape(graph: LossGraph, chain: Chain) -> tuple[int, ...] | None:
    model = chain[-1].output_ops
    return model[0].shape if model else graph.output_shape


def _grown(graph: LossGraph) -> Op | None:
    """An operation with a tensor from outside that has the samples of the batch in two dimensions."""
    for chain in outside(graph):
        for place, op in enumerate(chain):
            shape = op.shape or ()
            if (
                op.op not in POINTWISE
                or len(shape) < 2
                or shape[0] != shape[1]
                or shape[0] < 2
                or op.inputs not in (1, None)
            ):
                continue
            before = chain[place + 1].shape if place + 1 < len(chain) else _output_shape(graph, chain)
            if before is not None and elements(shape) == shape[0] * elements(before) and before[:1] == shape[:1]:
                return op
    return None
