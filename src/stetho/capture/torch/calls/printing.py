"""Tensors that the user wants to see: each as one readable line."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from torch import Tensor

from stetho.capture.step import Clock
from stetho.capture.torch.failure.tensors import tensor_line
from stetho.capture.torch.models.models import Layer, describe
from stetho.records import Voice

MOST_SHAPES = 8
"""So many shapes of one output are told; sequences of every length have no end of them."""


class Printer:
    """Prints the outputs of chosen layers."""

    def __init__(self, patterns: Sequence[str], clock: Clock, voice: Voice) -> None:
        self._patterns = patterns
        self._clock = clock
        self._voice = voice

    def __call__(self, layer: Layer, path: str, role: str, tensor: Tensor) -> None:
        """Look at one tensor."""
        if role == "act" and any(fnmatchcase(layer.name, pattern) for pattern in self._patterns):
            name = (layer.name or layer.kind) + path
            self._voice.say(f"step {self._clock.step.number} {name}: {tensor_line(tensor)}")


class ShapeLog:
    """Tells the shape of what a layer gives back when it is new: all of them at first, and then what changes."""

    def __init__(self, clock: Clock, voice: Voice) -> None:
        self._clock = clock
        self._voice = voice
        self._seen: dict[tuple[int, str], list[str]] = {}

    def __call__(self, layer: Layer, path: str, role: str, tensor: Tensor) -> None:
        """Look at one tensor."""
        if role != "act":
            return
        shape = f"{describe(tensor)} {tensor.device}"
        seen = self._seen.setdefault((id(layer), path), [])
        if shape in seen or len(seen) > MOST_SHAPES:
            return
        name = f"{layer.name} ({layer.kind}){path}" if layer.name else f"{layer.kind}{path}"
        # Both parts of a GAN have a layer `0`.
        name += f" of model {layer.model + 1}" if layer.model else ""
        before = f", before {seen[-1]}" if seen else ""
        seen.append(shape)
        further = "; further shapes of it are not told" if len(seen) > MOST_SHAPES else ""
        self._voice.say(f"step {self._clock.step.number} {name}: {shape}{before}{further}")
