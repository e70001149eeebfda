"""Every tensor of a few steps of a training, written down in the order in which it is computed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from stetho.capture.torch.calls.layers import post_hook
from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.calls.looks import as_array
from stetho.capture.torch.models.models import unwrapped
from stetho.comparing.tensor_error import Array
from stetho.equivalence.torch.training import Training

Passes = Callable[[Training, Any, dict[str, list[Array]]], None]
"""The forward and backward passes of a step over one batch; puts the loss into the tape."""


class Tape:
    """The steps of a training as arrays."""

    def __init__(self, training: Training) -> None:
        self._training = training
        self.steps: list[dict[str, Array]] = []
        self._names = {id(module): name for name, module in unwrapped(training.model).named_modules()}
        self._weights = dict(unwrapped(training.model).named_parameters())
        self._now: dict[str, list[Array]] = {}
        self._before: dict[str, Tensor] = {}

    @property
    def kinds(self) -> dict[str, str]:
        """The classes of the layers."""
        return {name: type(module).__name__ for name, module in unwrapped(self._training.model).named_modules()}

    @property
    def unused(self) -> list[str]:
        """Weights to be trained that got no gradient in some step."""
        wanted = [name for name, weight in self._weights.items() if weight.requires_grad]
        return [name for name in wanted if any(f"grad/{name}" not in step for step in self.steps)]

    @property
    def facts(self) -> dict[str, Any]:
        """What is told of the training besides its tensors."""
        return {"kinds": self.kinds, "unused": self.unused}

    def record(self, passes: Passes, batches: Iterator[Any], steps: int) -> None:
        """Train for so many steps, writing everything down."""
        training = self._training
        with self.watching():
            for _, batch in zip(range(steps), batches, strict=False):
                self.begin()
                self.put_inputs(batch)
                training.optimizer.zero_grad()
                passes(training, batch, self._now)
                training.update()
                self.end()

    def begin(self) -> None:
        """A step begins, with the state that it finds."""
        self._now = {}
        self._put_state()

    def end(self) -> None:
        """A step is over."""
        self.steps.append({key: _together(parts) for key, parts in self._now.items()})

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Write down what layers and the optimizer do."""
        # A compiler sees these as empty, so that its graph stays what it is without us.
        output = post_hook(self._output)
        handles = [module.register_forward_hook(output) for module in unwrapped(self._training.model).modules()]
        optimizer = self._training.optimizer
        handles += [optimizer.register_step_pre_hook(self._gradients), optimizer.register_step_post_hook(self._updates)]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def put(self, key: str, value: Any) -> None:
        """Write one tensor or number down."""
        self._now.setdefault(key, []).append(as_array(value) if isinstance(value, Tensor) else np.asarray(value))

    def put_inputs(self, batch: Any) -> None:
        """What a pass is given."""
        for path, tensor in tensor_leaves(batch):
            self.put(f"input/{path}", tensor)

    def _put_state(self) -> None:
        training = self._training
        for name, weight in self._weights.items():
            self.put(f"param/{name}", weight)
        for name, buffer in unwrapped(training.model).named_buffers():
            self.put(f"buffer/{name}", buffer)
        for number, group in enumerate(training.optimizer.param_groups):
            self.put(f"lr/{number}", float(group["lr"]))
        scaler = training.part("scaler")
        if scaler is not None:
            self.put("scale/", float(scaler.get_scale()))

    def _output(self, module: Module, _args: Any, output: Any) -> None:
        # A recomputation in the backward pass shows what was seen already.
        if torch._C._current_graph_task_id() == -1:
            for path, tensor in tensor_leaves(output):
                self.put(f"act/{self._names.get(id(module), '')}{path}", tensor)

    def _gradients(self, _optimizer: Optimizer, _args: Any, _kwargs: Any) -> None:
        for name, weight in self._weights.items():
            if weight.grad is not None:
                self.put(f"grad/{name}", weight.grad)
        self._before = {name: weight.detach().clone() for name, weight in self._weights.items()}

    def _updates(self, optimizer: Optimizer, _args: Any, _kwargs: Any) -> None:
        for name, weight in self._weights.items():
            for key, value in optimizer.state.get(weight, {}).items():
                if isinstance(value, Tensor):
                    self.put(f"state.{key}/{name}", value)
        for name, weight in self._weights.items():
            self.put(f"update/{name}", weight.detach() - self._before[name])


def one_pass(training: Training, batch: Any, tape: dict[str, list[Array]]) -> None:
    """The whole batch at once."""
    loss = training.loss(training.model, batch)
    tape.setdefault("loss/", []).append(as_array(loss))
    training.backward(loss)


def _together(parts: list[Array]) -> Array:
    """What several passes gave, as one pass over all of it would have: samples one after another."""
    if len(parts) == 1 or parts[0].ndim == 0:
        return parts[0] if len(parts) == 1 else np.asarray(sum(parts))
    return np.concatenate(parts) if all(p.shape[1:] == parts[0].shape[1:] for p in parts) else parts[0]
