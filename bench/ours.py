"""Attaches stetho to a workload, and reads from the recorded run how much of each step was ours."""

from collections.abc import Callable, Mapping
from pathlib import Path

from torch import nn
from torch.optim import Optimizer

from bench.inside import COLUMNS


def watch(
    model: nn.Module, optimizer: Optimizer, folder: Path, options: Mapping[str, object]
) -> Callable[[], dict[str, object]]:
    """Starts watching; the function that is returned stops and gives the columns that tell our time."""
    import stetho

    watching = stetho.watch(model, optimizer, out=str(folder), quiet=True, **options)

    def close() -> dict[str, object]:
        watching.stop()
        if not any(folder.iterdir()):
            return {}
        steps = stetho.open_run(folder).table("steps")
        return {name: steps.column(name).to_pylist() for name in COLUMNS}

    return close
