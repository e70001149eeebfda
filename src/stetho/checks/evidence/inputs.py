"""The inputs of the models that are trained, and the layers that receive them."""

from collections.abc import Iterator

import numpy as np

from stetho.checks.run.facts import Layer, Model
from stetho.checks.run.series import Array
from stetho.checks.run.table import Table
from stetho.checks.window import Window

NORMALISING = ("BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm", "RMSNorm", "LazyBatchNorm", "SyncBatchNorm")
OUTSIDE = frozenset(("(input)", "(detached)"))
RECURRENT = ("LSTM", "GRU", "RNN")
WEIGHTED = ("Linear", "Conv", "NonDynamicallyQuantizableLinear", "LazyLinear", "LazyConv", *RECURRENT)


def trained_inputs(window: Window) -> Iterator[tuple[Model, Table]]:
    """For each trained model, its training batches of floating point numbers that were looked at closely."""
    for model in window.models:
        if model.is_trained:
            rows = window.batches("train", model.id)
            is_float = np.array([str(dtype).startswith(("float", "bfloat", "double")) for dtype in rows["dtype"]], bool)
            rows = rows.where(is_float & np.isfinite(rows["std"]) & np.isfinite(rows["mean"]))
            if rows.count:
                yield model, rows


def first_layer(window: Window, model: int) -> Layer | None:
    """The first layer of a model that has weights or normalises."""
    layers = [layer for layer in window.forward_order if layer.model == model]
    return next((layer for layer in layers if layer.parameters or layer.is_kind(*NORMALISING)), None)


def is_fed_by_another(window: Window, model: int) -> bool:
    """Whether a model gets what another one gives, as a head beside its body does: that changes as the other learns.

    What comes out of another model has a history; what comes from outside has none.
    """
    sources = {edge.source for edge in window.edges if edge.model == model}
    return len(window.models) > 1 and bool(sources) and not sources & OUTSIDE


def is_bare(window: Window, model: int) -> bool:
    """Whether a model is made of parameters alone: its inputs are what the first of them are multiplied with."""
    has_weights = any(parameter.model == model for parameter in window.parameters)
    return has_weights and not any(layer.model == model for layer in window.layers)


def reads_inputs_raw(window: Window, model: int, rms: float) -> bool:
    """Whether the first layer is a weighted one that receives the input as it is, not scaled inside of the model."""
    layer = first_layer(window, model)
    if is_bare(window, model):
        return True
    if layer is None or not layer.is_kind(*WEIGHTED):
        return False
    if layer.is_kind(*RECURRENT):
        return True
    acts, weights = (
        window.layer_stat("act.rms", layer),
        window.parameter_stat("param.rms", f"{layer.name}.weight".lstrip(".")),
    )
    found = [p for p in window.parameters if p.model == model and p.layer == layer.name and len(p.shape) > 1]
    if acts is None or weights is None or not found or not np.isfinite(acts.first) or not weights.first > 0:
        return True
    fan_in = found[0].count / found[0].shape[0]
    # What the layer gives at the start tells the size of what it was given, within a factor of a few.
    given = acts.first / (weights.first * np.sqrt(fan_in))
    return bool(given > 0.1 * rms) if rms > 1 else bool(given < max(10 * rms, 1e-2) or acts.first < 1)


def stacked(rows: Table, name: str) -> Array:
    """A column of lists as a matrix; rows of another length than the first, or with none, are left out."""
    lists = [each for each in rows[name] if each is not None and len(each)]
    same = [np.asarray(each, np.float64) for each in lists if len(each) == len(lists[0])]
    return np.stack(same) if same else np.zeros((0, 0))


def feature_moments(rows: Table) -> tuple[Array, Array]:
    """Mean and deviation of each feature over all batches; empty when they were not taken."""
    means, deviations = stacked(rows, "feature_mean"), stacked(rows, "feature_std")
    if not len(means) or means.shape != deviations.shape:
        return np.zeros(0), np.zeros(0)
    mean = means.mean(0)
    return mean, np.sqrt((deviations**2).mean(0) + means.var(0))


def overall(rows: Table) -> tuple[float, float]:
    """Mean and deviation over all batches."""
    mean = float(rows["mean"].mean())
    return mean, float(np.sqrt((rows["std"] ** 2).mean() + rows["mean"].var()))


def empty_share(rows: Table) -> float:
    """The share of the values that are 0."""
    return float(np.mean(rows["zeros"] / [max(np.prod(shape), 1) for shape in rows["shape"]]))


def data_line(window: Window, model: int = 0, phase: str = "train") -> str | None:
    """Where the data come from: the line of the loader, or else that of the call of the model."""
    loaders = window.batches(phase, model)["loader"]
    known = loaders[np.isfinite(loaders)]
    if len(known):
        line = next((loader.line for loader in window.loaders if loader.id == known[0]), None)
        if line is not None:
            return line
    roots = [layer for layer in window.layers if layer.model == model and layer.called]
    return roots[0].called if roots else window.loss_line()


def prepared_line(window: Window, model: int = 0, phase: str = "train") -> str | None:
    """Where the data are made that a loader gives, or the transform that they go through."""
    loader = data_line(window, model, phase)
    transform = window.given(loader, "transform")
    return transform if transform != loader else window.given(loader, "dataset")


def order_line(window: Window, model: int = 0) -> str | None:
    """Where it is said which samples come when: the loader, or the rows that are taken from an array."""
    by_hand = next((each.ordered for each in window.models if each.id == model), None)
    return data_line(window, model) if window.loaders or by_hand is None else by_hand


def content_line(window: Window, model: int = 0) -> str | None:
    """Where the values of the inputs come from: where a data set gives a sample back, or a variable is made."""
    loaders = window.batches("train", model)["loader"]
    known = loaders[np.isfinite(loaders)]
    given = [loader.given_at for loader in window.loaders if len(known) and loader.id == known[0]]
    fed = next((each.fed for each in window.models if each.id == model), None)
    return next(filter(None, given), None) or fed or data_line(window, model)


def evaluated_samples(window: Window, model: int | None = None) -> int:
    """How many samples an evaluation has, or the largest one of several."""
    rows = window.batches("eval") if model is None else window.batches("eval", model)
    steps, sizes = rows["step"], np.nan_to_num(rows["size"])
    return int(max((sizes[steps == step].sum() for step in np.unique(steps)), default=0))


def trains_badly(window: Window, share: float = 0.8) -> bool:
    """Whether the loss became infinite or NaN, or did not fall below the share of where it began."""
    losses = window.loss_series()
    finite = losses.finite.values
    if len(finite) < max(len(losses), 1):
        return True
    part = max(3, len(finite) // 10)
    return bool(np.median(finite[-part:]) > share * np.median(finite[: max(3, len(finite) // 50)]))


def feeds_itself(rows: Table) -> bool:
    """Whether the size of the inputs runs on in one way through a whole evaluation, as when a model draws samples.

    Each input is then made of the answer to the one before, and says nothing about how data were prepared.
    """
    deviations = rows["std"][rows["step"] == rows["step"].max()] if rows.count else rows["std"]
    if len(deviations) < 6:
        return False
    ways = np.sign(np.diff(deviations))
    return bool(abs(ways.mean()) > 0.8 and deviations.max() > 1.5 * max(deviations.min(), 1e-12))


def acts_between_steps(window: Window, rows: Table) -> bool:
    """Whether passes come before nearly every step, several or of one sample each time, and nobody judges them.

    An agent that acts goes where its actions lead it; what is trained on is only a part of that.
    """
    times, counts = np.unique(rows["step"], return_counts=True)
    is_judged = (rows["loss_call"] != None) | np.isfinite(rows["counted"])  # noqa: E711  # texts and None, one by one
    if not rows.count or is_judged.mean() >= 0.1:
        return False
    # At first an agent acts at random, and asks nobody.
    is_one_by_one = np.median(rows["size"]) == 1 and len(times) >= 0.3 * window.count
    return bool(is_one_by_one or (len(times) >= 0.8 * window.count and np.median(counts) >= 3))


def has_other_passes(window: Window) -> bool:
    """Whether a step has more passes than backward passes: data without labels go with the batch that is looked at."""
    passes = [events.count("forward") - events.count("backward") for events in window.orders if "backward" in events]
    return bool(passes) and float(np.median(passes)) > 0


def gives_one_batch(window: Window) -> bool:
    """Whether every step was given the same samples, by no loader: there may be others that never come."""
    rows = window.batches("train")
    hashes = rows["hash"][np.isfinite(rows["hash"])]
    return bool(len(hashes) and (hashes == hashes[0]).all() and not np.isfinite(rows["loader"]).any())
