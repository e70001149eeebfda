"""Pictures and their targets of the same size, as masks: do they lie the same way round?

What a picture shows where its target is, is compared with what it shows where the turned or mirrored target would be,
and with what chance gives: where the target of another picture would be, whichever way it is turned.
"""

import torch
from torch import Tensor

from stetho.capture.torch.calls.leaves import first_tensor
from stetho.capture.torch.losses.differences import name_of

WAYS = ("straight", "left to right", "upside down", "turned by 180°", "turned by 90°", "turned by 270°")
MOST_SAMPLES = 256
OF_A_BATCH = 32
LEAST_SIDE = 8
MOST_CHANNELS = 4
MOST_PIXELS = 128 * 128
TURNING = ("Flip", "Index", "Rot", "Roll", "Gather")
NODES_BEHIND = 6


class Mirrored:
    """For each sample that was looked at, how well its target fits each way round, and how well another's does."""

    def __init__(self) -> None:
        self._picture: Tensor | None = None
        self._fits: list[list[list[float]]] = []
        self._chance: list[list[float]] = []

    def add(self, args: object) -> None:
        """A training pass was given this."""
        first = first_tensor(args)
        is_picture = first is not None and first.dim() == 4 and first.is_floating_point() and len(first) > 1
        self._picture = first.detach() if is_picture and first is not None else None

    def look(self, predicted: Tensor, target: Tensor) -> None:
        """A loss compares the output with a target."""
        picture, self._picture = self._picture, None
        if picture is None or len(self._fits) >= MOST_SAMPLES or not _is_mask(picture, target) or _is_turned(predicted):
            return
        marked = _marked(target.detach().reshape(len(picture), -1, *picture.shape[-2:])[:, :1])
        shown = _shown(picture.float())
        chosen = torch.nonzero(marked.flatten(1).std(1) > 0).flatten()[:OF_A_BATCH]
        if len(chosen) < 2:
            return
        shown, marked = shown[chosen], marked[chosen]
        ways = 6 if shown.shape[-1] == shown.shape[-2] else 4
        own = torch.stack([_alike(shown, _turned(marked, way)) for way in range(ways)], 2)
        other = torch.stack([_alike(shown, _turned(marked.roll(1, 0), way)) for way in range(ways)], 2)
        self._fits += own.tolist()
        self._chance += other.amax(2).tolist()

    def clear(self) -> None:
        """Keep nothing past the step."""
        self._picture = None

    def result(self) -> dict[str, object] | None:
        """For each sample the likeness straight, the best one otherwise, which that is, and the one by chance."""
        if not self._fits:
            return None
        ways = min(len(sample[0]) for sample in self._fits)
        fits = torch.tensor([[feature[:ways] for feature in sample] for sample in self._fits])
        # What tells a target is the same in all pictures: brightness, darkness, or contrast.
        feature = int(fits.amax(2).mean(0).argmax())
        best = fits[:, feature, 1:].max(1)
        return {
            "straight": fits[:, feature, 0].tolist(),
            "turned": best.values.tolist(),
            "ways": [WAYS[1 + int(way)] for way in best.indices],
            "chance": [sample[feature] for sample in self._chance],
        }


def _is_mask(picture: Tensor, target: Tensor) -> bool:
    """Whether there is one thing to say of each pixel."""
    sides = tuple(picture.shape[-2:])
    if min(sides) < LEAST_SIDE or sides[0] * sides[1] > MOST_PIXELS or picture.shape[1] > MOST_CHANNELS:
        return False
    return tuple(target.shape[-2:]) == sides and len(target) == len(picture) and target.device == picture.device


def _is_turned(predicted: Tensor) -> bool:
    """Whether the answers are turned back before they are compared."""
    node = predicted.grad_fn
    for _ in range(NODES_BEHIND):
        if node is None:
            return False
        if name_of(node).startswith(TURNING):
            return True
        node = node.next_functions[0][0] if node.next_functions else None
    return False


def _marked(target: Tensor) -> Tensor:
    """What is marked: numbers as they are, of classes all but the most frequent one."""
    return target.float() if target.is_floating_point() else (target != target.flatten().mode().values).float()


def _shown(picture: Tensor) -> Tensor:
    """What may tell a target, each bright and dark: the channels, and how far they are from their middle."""
    apart = (picture - picture.mean((2, 3), keepdim=True)).abs()
    features = torch.cat([picture, apart], 1)
    return torch.cat([features, -features], 1)


def _turned(marked: Tensor, way: int) -> Tensor:
    if way in (4, 5):
        return torch.rot90(marked, way * 2 - 7, (2, 3))
    axes = ([], [3], [2], [2, 3])[way]
    return marked.flip(axes) if axes else marked


def _alike(shown: Tensor, marked: Tensor) -> Tensor:
    """The correlation of each feature of each sample with what is marked."""
    one, other = shown.flatten(2), marked.flatten(2)
    one, other = one - one.mean(2, keepdim=True), other - other.mean(2, keepdim=True)
    scale = (one.square().sum(2) * other.square().sum(2)).sqrt().clamp_min(1e-12)
    return (one * other).sum(2) / scale
