"""Attaches stetho to a workload, and reads from the recorded run how much of each step was ours."""

from collections.abc import Callable, Mapping
from pathlib import Path

from torch import nn
from torch.optim import Optimizer


def watch(
    model: nn.Module, optimizer: Optimizer, folder: Path, options: Mapping[str, object]
) -> Callable[[], dict[str, object]]:
    """Starts watching; the function that is returned stops and gives the time spent inside our hooks."""
    import stetho

    watching = stetho.watch(model, optimizer, out=str(folder), quiet=True, **options)

    def close() -> dict[str, object]:
        watching.stop()
        if not any(folder.iterdir()):
            return {}
        return inside(folder)

    return close


def inside(folder: Path) -> dict[str, object]:
    """Our time in each recorded step, by tier, as the run itself tells it."""
    import stetho

    steps = stetho.open_run(folder).table("steps")
    columns = {name: steps.column(name).to_pylist() for name in ("step", "tier", "seconds", "ours_seconds")}
    return {"steps": columns}
