"""Memory that is not there."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained
from stetho.explaining.scene import Explanation, Scene

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


@explains(
    "host-memory",
    r"can't allocate memory: you tried to allocate (\d+) bytes",
)
def host(match: Match[str], scene: Scene) -> Explanation:
    """`DefaultCPUAllocator: can't allocate memory: you tried to allocate 4503599627370496 bytes`."""
    asked = int(match[1])
    title = f"`{scene.code}` asked for {_size(asked)} at once, and there is not so much memory"
    return explained(
        scene,
        title,
        *_cures(),
        f"a look at the shapes: {asked // 4:,} float32 values, as an outer product or an unwanted broadcast makes",
    )


@explains(
    "device-memory",
    r"out of memory\. Tried to allocate ([\d.]+ \w+)",
)
def device(match: Match[str], scene: Scene) -> Explanation:
    """`CUDA out of memory. Tried to allocate 2.00 GiB`."""
    title = f"{scene.subject} asked for {match[1]} more than the device has left"
    return explained(scene, title, *_cures(), "loss.item() where losses are summed up: a tensor keeps its whole graph")


def _cures() -> tuple[str, ...]:
    return (
        "a smaller batch, with gradient accumulation for the same effect",
        "torch.no_grad() around evaluation",
        "torch.utils.checkpoint, or lower precision",
    )


def _size(count: float) -> str:
    for unit in _UNITS[:-1]:
        if count < 1024:
            return f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.3g} {_UNITS[-1]}"
