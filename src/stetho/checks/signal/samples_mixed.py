"""samples-mixed: the answer for one sample depends on the other samples of the batch."""

import numpy as np

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.experiments import experiment
from stetho.checks.mechanisms.mixing import mixed_in_experiment
from stetho.checks.mechanisms.placed import placed_in_experiment
from stetho.checks.run.facts import Layer
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SEQUENTIAL = ("LSTM", "GRU", "RNN", "MultiheadAttention")


@check(
    severity="error",
    explains=("loss-plateau", "metric-not-following", "overfitting",
              "evaluation-at-chance", "stopped-early", "scrambled-axes",
              "too-small-model", "hidden-state-carried", "labels-independent-of-inputs", "collapsed-output"),
)  # fmt: skip
def samples_mixed(window: Window) -> Finding | None:
    """Samples of a batch leak into each other.

    ## What it finds
    A recurrent or attention layer that runs along the batch: it is not `batch_first`, but its first dimension is
    that of the batch, as the targets show. Or a softmax inside of the model over that dimension. Or in a copy of the
    model the answers for some samples change when only the others do, or when all only change their order, as where
    positions are counted along the batch; a note where the evaluation goes well.

    ## Why it matters
    The layer takes the samples of the batch for the steps of a sequence: each answer depends on its random neighbours,
    and the true sequence is never read.

    ## What to try
    Give the layer `batch_first=True`, or exchange the first two dimensions of its input with `transpose(0, 1)`.

    ## When it is wrong
    A batch of a single long sequence whose targets are those of its steps.
    """
    layers = [layer for layer in window.forward_order if layer.is_kind(*SEQUENTIAL) and not layer.is_kind("RNNCell")]
    known = [
        layer for layer in layers if layer.setting("batch_first") is not None and len(layer.output_shape or ()) == 3
    ]
    weighing = [(layer, one) for layer in window.layers for one in layer.between if one.op == "Softmax"]
    tried = experiment(window)
    if not known and not weighing and not tried.samples:
        raise Skip("no layer along the batch, and no experiment with the model")
    for layer in known:
        if layer.setting("batch_first") == "False" and _runs_along_batch(window, layer, layer.output_shape or ()):
            return _found(window, layer, *(layer.output_shape or ())[:2])
    for layer, one in weighing:
        if one.dim == 0 and _runs_along_batch(window, layer, one.shape):
            return window.finding(
                f"a softmax of {list(one.shape)} before {layer.name} runs over the {one.shape[0]} samples of the batch",
                where=window.at(window.given(layer.called, "softmax over samples"), layer=layer),
                confidence=0.92,
                try_next="Give the softmax the dimension of the places, most often dim=-1.",
                shape=f"{list(one.shape)}",
            )
    return mixed_in_experiment(window, tried, SEQUENTIAL) or placed_in_experiment(window, tried, SEQUENTIAL)


def _runs_along_batch(window: Window, layer: Layer, shape: tuple[int, ...]) -> bool:
    """Whether the first axis of a tensor is that of the samples, as inputs and targets tell."""
    first, second = (*shape, 0, 0)[:2]
    if first == second or first != _batch(window, layer):
        return False
    targets = [loss.target_shape for loss in window.losses if loss.target_shape and loss.target_shape[0] == first]
    if any(target[:2] != (first, second) for target in targets):
        return True
    # Targets for each step of each sample: which of the two axes is time is seen from which of them changes.
    is_flat = any(loss.target_shape == (first * second,) for loss in window.losses)
    return (bool(targets) or is_flat) and _first_axis_changes(window, layer)


def _first_axis_changes(window: Window, layer: Layer) -> bool:
    passes = (window.batches(phase, layer.model)["shape"] for phase in ("train", "eval"))
    shapes = [tuple(shape)[:2] for each in passes for shape in each if shape is not None]
    is_loaded = any(shapes and loader.batch_size == shapes[0][0] for loader in window.loaders)
    return is_loaded or (len({one[0] for one in shapes}) > 1 and len({one[1:] for one in shapes}) == 1)


def _found(window: Window, layer: Layer, samples: int, length: int) -> Finding:
    return window.finding(
        f"{layer.name} is not batch_first and runs along the batch: {samples} samples are its steps, "
        f"{length} steps its samples",
        where=window.at(layer=layer),
        confidence=0.94,
        output=f"{list(layer.output_shape or ())}",
        samples=float(samples),
    )


def _batch(window: Window, layer: Layer) -> int | None:
    """The size of the first batch, to which the recorded shapes belong."""
    sizes = window.batches("train", layer.model)["size"]
    finite = sizes[np.isfinite(sizes)]
    return int(finite[0]) if len(finite) else None
