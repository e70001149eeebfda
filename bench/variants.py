"""Everything that is compared: the bare program, stetho at each of its settings, and the peers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from torch import nn
from torch.optim import Optimizer

from bench import ours, peers
from bench.workloads import Step

Attach = Callable[[nn.Module, Optimizer, Step, Path], "Attached"]


@dataclass(frozen=True, slots=True)
class Attached:
    """A step function with a tool in it, and what to do (and to tell) at the end."""

    step: Step
    close: Callable[[], dict[str, object]] = dict


@dataclass(frozen=True, slots=True)
class Variant:
    """One column of the comparison."""

    name: str
    title: str
    kind: Literal["bare", "ours", "peer"]
    covers: str
    attach: Attach
    environment: Mapping[str, str] = field(default_factory=dict)
    targets: Mapping[str, float] = field(default_factory=dict)
    uneven: bool = False
    """Its steps differ in cost on purpose: a median would not see the rare dear ones, so means are compared."""
    settles: bool = False
    """It does much once, at the start of a run, and is measured when that is over, however long it takes."""


def bare(_model: nn.Module, _optimizer: Optimizer, step: Step, _folder: Path) -> Attached:
    return Attached(step)


def watched(**options: Any) -> Attach:
    def attach(model: nn.Module, optimizer: Optimizer, step: Step, folder: Path) -> Attached:
        return Attached(step, ours.watch(model, optimizer, folder, options))

    return attach


def peer(instrument: Callable[[nn.Module, Step, Path], Step]) -> Attach:
    def attach(model: nn.Module, _optimizer: Optimizer, step: Step, folder: Path) -> Attached:
        return Attached(instrument(model, step, folder))

    return attach


BARE = Variant("bare", "bare", "bare", "nothing", bare)

STARTING_STEPS = 50
"""The experiments of a run are made in its first 40 steps; the budget counts from when they are over."""

EVERYTHING = "loss, layer outputs and their gradients, parameters, gradients, updates, optimizer state"

VARIANTS = (
    BARE,
    Variant("off", "stetho, `STETHO=0`", "ours", "nothing", watched(), environment={"STETHO": "0"}),
    Variant(
        "default",
        "stetho, default budget",
        "ours",
        EVERYTHING + ", as often as 5 % allows",
        watched(grace_steps=STARTING_STEPS, grace_seconds=0.0),
        uneven=True,
        settles=True,
        targets={"cnn": 1.05, "gpt": 1.05, "mlp": 1.05},
    ),
    Variant(
        "cheap",
        "stetho, cheap tier every step",
        "ours",
        "loss, finite check, gradient norm, times",
        watched(every=0, grace_seconds=0.0),
        targets={"cnn": 1.02, "gpt": 1.02, "mlp": 1.25},
    ),
    Variant(
        "finite",
        "stetho, finite check every step",
        "ours",
        "NaN and Inf in layer outputs and their gradients, parameters, gradients; the cheap tier",
        watched(every=0, finite=True, grace_seconds=0.0),
        targets={"cnn": 1.02, "gpt": 1.02, "mlp": 1.06},
    ),
    Variant(
        "full",
        "stetho, full tier every step",
        "ours",
        EVERYTHING,
        watched(every=1, grace_seconds=0.0),
        targets={"cnn": 1.03, "gpt": 1.03, "mlp": 1.12},
    ),
    Variant(
        "full-torch",
        "stetho, full tier every step, plain-torch kernel",
        "ours",
        EVERYTHING,
        watched(every=1, grace_seconds=0.0),
        environment={"STETHO_KERNEL": "torch"},
        targets={"cnn": 1.45, "gpt": 1.25, "mlp": 2.2},
    ),
    Variant(
        "trace",
        "stetho, every operation traced",
        "ours",
        "every operation with its line, its layer and the numbers of its tensors, NaN and Inf; the cheap tier",
        watched(every=0, trace_from=1, grace_seconds=0.0),
        targets={"cnn": 1.2, "gpt": 1.2, "mlp": 2.5},
    ),
    Variant(
        "tensorboard",
        "TensorBoard histograms of everything",
        "peer",
        "layer outputs and their gradients, parameters, gradients",
        peer(peers.tensorboard),
    ),
    Variant("wandb", '`wandb.watch(log="all")`, offline', "peer", "parameters, gradients", peer(peers.wandb)),
    Variant(
        "msprobe",
        "msprobe statistics dump, level L0",
        "peer",
        "module inputs and outputs and their gradients, parameters, gradients; no spread, no zeros, no NaN counts",
        peer(peers.msprobe),
    ),
    Variant(
        "anomaly",
        "`torch.autograd.detect_anomaly`",
        "peer",
        "NaN in the backward pass",
        peer(peers.detect_anomaly),
    ),
    Variant(
        "debug-mode",
        "torch `DebugMode` with hashes of tensors",
        "peer",
        "every operation, and a hash of its tensors",
        peer(peers.debug_mode),
    ),
    Variant(
        "underflow",
        "transformers `DebugUnderflowOverflow`",
        "peer",
        "magnitude, NaN and Inf in the forward pass",
        peer(peers.debug_underflow_overflow),
    ),
)

BY_NAME = {variant.name: variant for variant in VARIANTS}
