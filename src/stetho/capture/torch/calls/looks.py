"""Who looks at the tensors of a step: what the user wants to see printed, dumped to disk, or checked."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import numpy as np
import torch
from torch import Tensor
from torch.optim import Optimizer

from stetho.capture.recorder import Recorder
from stetho.capture.step import Clock
from stetho.capture.torch.calls.layers import Layers, Look
from stetho.capture.torch.calls.printing import Printer, ShapeLog
from stetho.capture.torch.models.models import Layer, Models
from stetho.capture.torch.updates.settings import parameters_of
from stetho.config import Options
from stetho.option_values import Dump
from stetho.records import Voice
from stetho.stats.arrays import array_of


class Looks:
    """All who look, as the options ask for, and at which steps."""

    def __init__(
        self, options: Options, clock: Clock, recorder: Recorder, models: Models, layers: Layers, voice: Voice
    ) -> None:
        self._clock = clock
        self._layers = layers
        self._dumper = Dumper(options.dump, clock, recorder, models)
        self.is_dumping = bool(options.dump)
        self._always: list[Look] = [layers.finite] if layers.finite is not None else []
        if options.shapes:
            self._always.append(ShapeLog(clock, voice))
        if options.print:
            self._always.append(Printer(options.print, clock, voice))
        layers.looks = self._always

    def prepare_step(self) -> None:
        """See who looks at the layers in the step that begins."""
        is_dumped = self.is_dumping and self._dumper.covers(self._clock.step.number)
        self._layers.looks = [*self._always, self._dumper] if is_dumped else self._always

    def before_update(self, optimizer: Optimizer) -> None:
        """An optimizer is about to change its parameters."""
        if self.is_dumping and self._dumper.covers(self._clock.step.number):
            self._dumper.parameters(parameters_of(optimizer))

    def step_done(self) -> None:
        """Save what was kept of the step."""
        if self.is_dumping:
            self._dumper.save(self._clock.step.number)


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

    def parameters(self, parameters: Iterable[Tensor]) -> None:
        """Look at parameters and gradients before an update."""
        for parameter in parameters:
            weight = self._models.weight(parameter)
            if weight is None:
                continue
            self._keep(weight.name, f"param/{weight.name}", parameter)
            if parameter.grad is not None:
                self._keep(weight.name, f"grad/{weight.name}", parameter.grad)

    def covers(self, step: int) -> bool:
        """Whether anything of a step is wanted."""
        return bool(self._dumps) and any(dump.covers(step) for dump in self._dumps)

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
        return np.array(array_of(plain))
    except RuntimeError:
        return np.array(array_of(plain.float()))
