"""A small classifier that trains well: the defaults of `make_window`."""

import re
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from stetho.checks.run.facts import Group, Layer, Loader, Loss, LossGraph, Model, Op, Optimizer, Parameter
from stetho.checks.run.series import Array, Series
from stetho.checks.run.tensor_text import number_in, settings_of
from stetho.checks.window import SeriesKey

BATCH = 32
CLASSES = 4

LAYERS = {
    "fc1": "Linear(in_features=8, out_features=32, bias=True)",
    "relu": "ReLU()",
    "fc2": f"Linear(in_features=32, out_features={CLASSES}, bias=True)",
}

LINES = {
    "zero_grad": ("train.py:30",),
    "backward": ("train.py:32",),
    "step": ("train.py:33",),
}

LOADERS = (
    Loader(0, "TensorDataset", 4096, "RandomSampler", True, BATCH, line="train.py:28", passes=1),
    Loader(1, "TensorDataset", 512, "SequentialSampler", False, BATCH, line="train.py:40", passes=3),
)

LOSSES = (
    Loss(
        "cross_entropy",
        line="train.py:31",
        input=f"float32[{BATCH}, {CLASSES}]",
        target=f"int64[{BATCH}]",
        reduction="mean",
        ignore_index=-100,
        label_smoothing=0.0,
        input_low=-1.1,
        input_high=1.2,
        rows_sum_to_one=False,
        target_low=0.0,
        target_high=CLASSES - 1.0,
    ),
)

_WIDTHS = ("out_features", "num_features", "1", "0")


def layer_of(name: str, text: str, place: int) -> Layer:
    """A layer from its representation, as Python prints it.

    >>> layer_of("drop", "Dropout(p=0.5, inplace=False)", 0).number("p")
    0.5
    """
    match = re.fullmatch(r"(\w+)(?:\((.*)\))?", text.strip(), re.DOTALL)
    if match is None:
        raise ValueError(f"{text!r} is no layer; write it as Python prints it, as in Linear(in_features=8, …)")
    layer = Layer(
        name,
        match[1],
        match[2] or "",
        constructed=f"train.py:{10 + place}",
        called=f"train.py:{20 + place}",
        calls=60,
        training=True,
        output=f"float32[{BATCH}, 32]",
    )
    return Layer(**{**_as_dict(layer), "parameters": sum(prod(shape) for _, shape in _weights(layer))})


def _as_dict(layer: Layer) -> dict[str, Any]:
    return {name: getattr(layer, name) for name in Layer.__slots__}


def _weights(layer: Layer) -> list[tuple[str, tuple[int, ...]]]:
    """Names and shapes of the parameters of a layer, as torch would make them for the usual kinds."""
    settings = settings_of(layer.settings)
    numbers = [int(number_in(value) or 0) for key, value in settings.items() if key.isdigit()]
    has_bias = settings.get("bias") != "False"
    if layer.is_kind("Linear", "Conv"):
        width_in = int(layer.number("in_features") or (numbers[0] if numbers else 8))
        width_out = int(layer.number("out_features") or (numbers[1] if len(numbers) > 1 else 8))
        kernel = int(layer.number("kernel_size") or 3)
        tail = (kernel,) * int(layer.kind[4]) if re.match(r"Conv\dd", layer.kind) else ()
        return [("weight", (width_out, width_in, *tail)), *([("bias", (width_out,))] if has_bias else [])]
    if layer.is_kind("BatchNorm", "LayerNorm", "GroupNorm"):
        width = numbers[-1] if numbers else 8
        return [("weight", (width,)), ("bias", (width,))]
    if layer.is_kind("Embedding"):
        return [("weight", tuple(numbers[:2]) or (16, 8))]
    return []


def parameters_of(layers: Sequence[Layer]) -> list[Parameter]:
    """The parameters of these layers, all trained by the first optimizer."""
    return [
        Parameter(f"{layer.name}.{name}" if layer.name else name, shape, prod(shape), layer.model)
        for layer in layers
        for name, shape in _weights(layer)
    ]


def models_of(layers: Sequence[Layer], parameters: Sequence[Parameter]) -> list[Model]:
    """One model for each number that layers and parameters name."""
    numbers = sorted({layer.model for layer in layers} | {parameter.model for parameter in parameters})
    return [Model(number, "Net", "Net", line="train.py:8") for number in numbers]


def optimizers_of(names: tuple[str, ...]) -> list[Optimizer]:
    """An Adam with the usual settings."""
    settings = {"lr": 1e-3, "betas": [0.9, 0.999], "eps": 1e-8, "weight_decay": 0.0}
    return [Optimizer(0, "Adam", "train.py:26", (Group(settings, names),))]


def loss_graphs_of(names: tuple[str, ...]) -> list[LossGraph]:
    """Cross entropy on logits."""
    shape = (BATCH, CLASSES)
    ops = (Op("NllLoss", ()), Op("LogSoftmax", shape, 1))
    inside = (Op("Addmm", shape), Op("Relu", (BATCH, 32)), Op("Addmm", (BATCH, 32)))
    return [LossGraph("train.py:32", ops, inside, shape, nodes=10, reached=tuple(sorted(names)), value=1.39)]


def steps_of(numbers: Array) -> dict[str, Any]:
    """Columns of `steps`: a loss that falls with a little noise."""
    place = np.arange(len(numbers))
    noise = 0.03 * np.sin(place * 2.399)
    return {
        "time": 0.01 * numbers,
        "epoch": 1,
        "optimizer": 0,
        "tier": "full",
        "loss": 0.2 + 1.19 * np.exp(-place / 20) + noise,
        "forwards": 1,
        "backwards": 1,
        "batch_size": BATCH,
        "grad_norm": 0.3 + 0.7 * np.exp(-place / 20) + noise,
        "lr": 1e-3,
        "lrs": [1e-3],
        "accuracy": 0.95 - 0.7 * np.exp(-place / 20),
        "skipped": 0,
        "seconds": 0.01,
        "stale_grad": 0,
        "graph_nodes": 10,
        "graphs_alive": 0,
    }


def batches_of(numbers: Array, phase: str) -> dict[str, Any]:
    """Columns of `batches`: standardised features, four balanced classes, no sample twice."""
    is_train = phase == "train"
    count = len(numbers)
    # Golden-ratio steps: numbers without a pattern that are the same in every test.
    wobble = 0.05 * np.sin(np.arange(count) * 2.399 + (0 if is_train else 1))
    first = np.arange(count)[:, None] * BATCH + np.arange(BATCH)
    hashes = (first + (0 if is_train else 1_000_000)) * 2_654_435_761 + 12_345
    return {
        "step": numbers,
        "time": 0.01 * numbers,
        "phase": phase,
        "model": 0,
        "loader": 0 if is_train else 1,
        "training": float(is_train),
        "grad": float(is_train),
        "size": BATCH,
        "shape": [BATCH, 8],
        "dtype": "float32",
        "hash": hashes[:, 0] if count else [],
        "samples": list(hashes),
        "mean": wobble,
        "std": 1 + wobble,
        "min": -2.9 + wobble,
        "max": 2.9 + wobble,
        "nan": 0,
        "zeros": 0,
        "feature_mean": [wobble[place] + 0.05 * np.cos(np.arange(8)) for place in range(count)],
        "feature_std": [1 + wobble[place] + 0.05 * np.sin(np.arange(8)) for place in range(count)],
        "loss_call": "cross_entropy",
        "target_mean": 1.5,
        "target_std": 1.1,
        "target_min": 0,
        "target_max": CLASSES - 1,
        "label_counts": [np.array([8, 8, 8, 8]) + np.roll([2, -1, -1, 0], place) for place in range(count)],
        "correct": np.linspace(8, 30, count).round(),
        "counted": BATCH,
        "output_std": np.linspace(0.5, 2.0, count),
        "output_spread": np.linspace(0.4, 1.9, count),
    }


def stats_of(
    layers: Sequence[Layer], parameters: Sequence[Parameter], numbers: Array
) -> dict[tuple[SeriesKey, str], Series | None]:
    """Every stat that capture measures, for layers that were called and for trained parameters."""
    stats: dict[tuple[SeriesKey, str], Series | None] = {}
    for layer in layers:
        if layer.calls:
            is_relu = layer.is_kind("ReLU")
            for phase in ("train", "eval"):
                stats |= _measures((layer.model, layer.name, "act", phase), numbers, 0.9, 1024, is_relu)
            stats |= _measures((layer.model, layer.name, "act_grad", "train"), numbers, 1e-3, 1024, is_relu)
    for parameter in parameters:
        held, scale = parameter.optimizer is not None, 0.2 if parameter.name.endswith("bias") else 0.3
        for role, rms in (("param", scale), ("grad", 0.02), ("update", 1e-3 * scale)):
            if role == "param" or (held and parameter.trainable):
                key = (parameter.model, parameter.name, role, "train")
                stats |= _measures(key, numbers, rms, parameter.count, False)
                if role == "update":
                    stats[key, "ratio"] = Series(numbers, 1e-3 * _wave(numbers))
    return stats


def _measures(
    key: SeriesKey, numbers: Array, rms: float, count: int, is_relu: bool
) -> dict[tuple[SeriesKey, str], Series | None]:
    wave = _wave(numbers)
    mean = 0.45 if is_relu else 0.01
    columns = {
        "calls": 1.0,
        "count": float(count),
        "nan": 0.0,
        "inf": 0.0,
        "zeros": float(count // 2 if is_relu else 0),
        "min": 0.0 if is_relu else -3 * rms * wave,
        "max": 3 * rms * wave,
        "mean": mean * rms * wave,
        "std": rms * wave * np.sqrt(1 - mean**2),
        "rms": rms * wave,
        "absmax": 3 * rms * wave,
        "ratio": np.nan,
    }
    return {(key, name): Series(numbers, np.broadcast_to(value, len(numbers))) for name, value in columns.items()}


def _wave(numbers: Array) -> Array:
    return 1 + 0.02 * np.sin(numbers * 2.399)
