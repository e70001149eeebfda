"""Tensors that the user wants to see: printed as one readable line, or dumped to disk."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

import numpy as np
import torch
from torch import Tensor

from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.layers import Look
from stetho.capture.torch.models import Layer, Models, Weight, describe
from stetho.capture.torch.tensors import tensor_line
from stetho.config import Options
from stetho.option_values import Dump
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
        before = f", before {seen[-1]}" if seen else ""
        seen.append(shape)
        further = "; further shapes of it are not told" if len(seen) > MOST_SHAPES else ""
        self._voice.say(f"step {self._clock.step.number} {name}: {shape}{before}{further}")


def printers(options: Options, clock: Clock, voice: Voice) -> list[Look]:
    """Those who print something of the tensors they see, as the options ask for."""
    shapes: list[Look] = [ShapeLog(clock, voice)] if options.shapes else []
    return [*shapes, *([Printer(options.print, clock, voice)] if options.print else [])]


def looks_closely(options: Options) -> bool:
    """Whether something is wanted of every step, so that none may be slept through."""
    of_tensors = options.shapes or options.print or options.dump or options.finite
    return bool(of_tensors or options.verbose or options.trace_from or options.break_at)


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
