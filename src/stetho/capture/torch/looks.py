"""Tensors that the user wants to see: printed as one readable line, or dumped to disk."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

import numpy as np
import torch
from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.models import Layer, Models, Weight
from stetho.capture.torch.tensors import tensor_line
from stetho.option_values import Dump
from stetho.records import Voice


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


class Dumper:
    """Keeps copies of chosen tensors of a step and saves them when it ends."""

    def __init__(self, dumps: Sequence[str], clock: Clock, recorder: Recorder, models: Models) -> None:
        self._dumps = [Dump.parse(text) for text in dumps]
        self._clock = clock
        self._recorder = recorder
        self._models = models
        self._kept: dict[str, np.ndarray] = {}

    def __call__(self, layer: Layer, path: str, role: str, tensor: Tensor) -> None:
        """Look at one tensor."""
        self._keep(layer.name, f"{role}/{layer.name or layer.kind}{path}", tensor)

    def parameters(self, parameters: Sequence[tuple[Weight, Tensor]]) -> None:
        """Look at parameters and gradients before an update."""
        for weight, parameter in parameters:
            self._keep(weight.name, f"param/{weight.name}", parameter)
            if parameter.grad is not None:
                self._keep(weight.name, f"grad/{weight.name}", parameter.grad)

    def covers(self, step: int) -> bool:
        """Whether anything of a step is wanted."""
        return any(dump.covers(step) for dump in self._dumps)

    def save(self, step: int) -> None:
        """Write what was kept."""
        kept, self._kept = self._kept, {}
        if kept:
            self._recorder.writer.save_tensors(step, kept)

    def _keep(self, name: str, key: str, tensor: Tensor) -> None:
        step = self._clock.step.number
        layer = name.rpartition(".")[0]
        for dump in self._dumps:
            if dump.covers(step) and (fnmatchcase(name, dump.pattern) or fnmatchcase(layer, dump.pattern)):
                self._kept[self._unused(key)] = as_array(tensor)
                return

    def _unused(self, key: str) -> str:
        number, name = 1, key
        while name in self._kept:
            number += 1
            name = f"{key}#{number}"
        return name


def as_array(tensor: Tensor) -> np.ndarray:
    """A copy as a numpy array; types that numpy lacks (bfloat16, float8) become float32, which holds them exactly.

    >>> as_array(torch.ones(2, dtype=torch.bfloat16)).dtype
    dtype('float32')
    """
    plain = tensor.detach()
    if plain.layout is not torch.strided:
        plain = plain.to_dense()
    try:
        return np.array(plain.cpu().numpy())
    except TypeError:
        return np.array(plain.float().cpu().numpy())
