"""What other tools do for the same job: each function attaches one of them the way its own documentation says.

Each takes the model, the bare step function and a folder for the tool's output, and gives the step function that a user
of that tool would run. Packages are imported inside, so that one that is missing fails alone.
"""

# mypy: allow-untyped-calls

import json
from itertools import count
from pathlib import Path

import torch
from torch import Tensor, nn

from bench.workloads import Step


def tensorboard(model: nn.Module, step: Step, folder: Path) -> Step:
    """Histograms of every parameter, gradient, layer output and gradient with respect to a layer output."""
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(str(folder))
    histogram = writer.add_histogram
    steps = count()
    now = 0

    def watch_layer(name: str, layer: nn.Module) -> None:
        def on_output(_layer: nn.Module, _inputs: object, output: Tensor) -> None:
            histogram(f"act/{name}", output.detach(), now)
            if output.requires_grad:
                output.register_hook(lambda grad: histogram(f"act_grad/{name}", grad, now))

        layer.register_forward_hook(on_output)

    for name, layer in model.named_modules():
        if name:
            watch_layer(name, layer)

    def watched() -> None:
        nonlocal now
        now = next(steps)
        step()
        for name, parameter in model.named_parameters():
            histogram(f"param/{name}", parameter.detach(), now)
            histogram(f"grad/{name}", parameter.grad, now)

    return watched


def wandb(model: nn.Module, step: Step, folder: Path) -> Step:
    """`watch(log="all")` on every step, offline."""
    import wandb as package

    run = package.init(mode="offline", project="bench", dir=str(folder))
    run.watch(model, log="all", log_freq=1)

    def watched() -> None:
        step()
        run.log({})

    return watched


def msprobe(model: nn.Module, step: Step, folder: Path) -> Step:
    """Statistics of module inputs and outputs, their gradients, and parameters (level L0)."""
    config = folder / "config.json"
    config.write_text(
        json.dumps(
            {
                "task": "statistics",
                "dump_path": str(folder / "dump"),
                "rank": [],
                "step": [],
                "level": "L0",
                "statistics": {"scope": [], "list": [], "data_mode": ["all"], "summary_mode": "statistics"},
            }
        )
    )
    from msprobe.pytorch import PrecisionDebugger

    debugger = PrecisionDebugger(config_path=str(config))

    def watched() -> None:
        debugger.start(model=model)
        step()
        debugger.stop()
        debugger.step()

    return watched


def detect_anomaly(_model: nn.Module, step: Step, _folder: Path) -> Step:
    """NaN check of every backward function."""
    torch.autograd.set_detect_anomaly(True)
    return step


def debug_underflow_overflow(model: nn.Module, step: Step, _folder: Path) -> Step:
    """Smallest and largest magnitude, NaN and Inf of every module's inputs, outputs and weights in the forward pass."""
    from transformers.debug_utils import DebugUnderflowOverflow

    DebugUnderflowOverflow(model)
    return step


def debug_mode(_model: nn.Module, step: Step, _folder: Path) -> Step:
    """torch's own log of every operation, with a hash of each of its results."""
    from torch.utils._debug_mode import DebugMode

    def watched() -> None:
        with DebugMode(), DebugMode.log_tensor_hashes():
            step()

    return watched
