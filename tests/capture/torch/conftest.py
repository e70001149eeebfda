"""Small trainings under watch, and the runs they leave."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.modules import module as modules
from torch.optim import Optimizer
from torch.optim import optimizer as optimizers

import stetho
from stetho.store.reader import Run, open_run

CALL = vars(nn.Module)["__call__"]


def global_hooks() -> list[object]:
    """Every hook that would see all modules or all optimizers."""
    return [
        hook
        for hooks in (
            modules._global_forward_hooks,
            modules._global_forward_pre_hooks,
            modules._global_module_registration_hooks,
            modules._global_parameter_registration_hooks,
            optimizers._global_optimizer_pre_hooks,
            optimizers._global_optimizer_post_hooks,
        )
        for hook in hooks.values()
    ]


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)


@pytest.fixture
def record(tmp_path: Path) -> Callable[..., Run]:
    """Runs a program under watch and opens what it left: `record(program, model, optimizer, **options)`."""

    def record(program: Callable[[], object], *subjects: Any, **options: Any) -> Run:
        with stetho.watch(*subjects, out=tmp_path / "runs", **options) as watching:
            program()
        assert watching.path is not None, "nothing was recorded"
        run = open_run(watching.path)
        assert run.info["capture_error"] is None, run.info["capture_error"]
        assert global_hooks() == []
        assert vars(nn.Module)["__call__"] is CALL
        return run

    return record


def mlp() -> nn.Sequential:
    """Layers `0`, `1` and `2`, in which no unit is dead from the beginning."""
    return nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 2))


def sgd(model: nn.Module, **settings: Any) -> Optimizer:
    return torch.optim.SGD(model.parameters(), **{"lr": 0.1, **settings})


def batch(size: int = 5) -> tuple[Tensor, Tensor]:
    return torch.randn(size, 4), torch.randint(0, 2, (size,))


def train(model: nn.Module, optimizer: Optimizer, steps: int = 3, size: int = 5) -> None:
    """A plain loop."""
    for _ in range(steps):
        x, y = batch(size)
        optimizer.zero_grad()
        functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def evaluate(model: nn.Module, batches: int = 1, size: int = 5) -> None:
    """A validation loop that leaves the model in training mode."""
    model.eval()
    with torch.no_grad():
        for _ in range(batches):
            x, y = batch(size)
            functional.cross_entropy(model(x), y)
    model.train()


def column(run: Run, name: str, table: str = "steps") -> list[Any]:
    return run.table(table)[name].to_pylist()


def names(run: Run, role: str = "act", phase: str = "train", model: int = 0) -> list[str]:
    """The names that have a series of that role, in the order they were met."""
    return [one.name for one in run.series if (one.role, one.phase, one.model) == (role, phase, model)]


def stat(run: Run, name: str, of: str, step: int = 1, phase: str = "train", model: int = 0) -> float:
    """One number of one step."""
    steps, values = run.values(name, of, model=model, phase=phase)
    (value,) = [value for at, value in zip(steps, values, strict=True) if at == step]
    return float(value)
