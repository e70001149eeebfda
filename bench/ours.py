"""Attaches stetho to a workload, and reads from the recorded run how much of each step was ours."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from torch import nn
from torch.optim import Optimizer

from bench.inside import COLUMNS


def watch(
    model: nn.Module, optimizer: Optimizer, folder: Path, options: Mapping[str, Any]
) -> Callable[[], dict[str, object]]:
    """Starts watching; the function that is returned stops and gives the columns that tell our time."""
    import stetho

    watching = stetho.watch(model, optimizer, **{"out": str(folder), "quiet": True, **options})

    def close() -> dict[str, object]:
        watching.stop()
        if not any(folder.iterdir()):
            return {}
        run = stetho.open_run(folder)
        # Capture detaches at an error of its own, and costs nothing from then on.
        if run.info.get("capture_error"):
            raise RuntimeError(f"capture detached: {str(run.info['capture_error']).strip().splitlines()[-1]}")
        steps = run.table("steps")
        return {name: steps.column(name).to_pylist() for name in COLUMNS} | {"steps": run.info["steps"]}

    return close
