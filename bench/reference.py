"""The slow, plain way to see every tensor of a training step: own hooks, double precision, nothing clever.

It shares no code with stetho, so that a mistake there cannot hide here.
"""

# mypy: allow-untyped-calls

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from torch import Tensor, nn
from torch.optim import Optimizer

from bench.workloads import Step

Key = tuple[int, str, str]
"""Step, role, name."""

LARGEST_UPDATE = 1 << 15


@dataclass(frozen=True, slots=True)
class Expected:
    """The numbers of one tensor, or of all tensors that a layer gave in one step."""

    calls: int
    bytes: int
    count: int
    zeros: int
    min: float
    max: float
    mean: float
    std: float
    rms: float


class Reference:
    """Trains a workload and keeps what every tensor of every step was like."""

    def __init__(self, model: nn.Module, optimizer: Optimizer) -> None:
        self.expected: dict[Key, Expected] = {}
        self._model = model
        self._seen: dict[tuple[str, str], list[Tensor]] = {}
        for name, layer in model.named_modules():
            self._hook(name, layer)
        optimizer.register_step_pre_hook(lambda *_: self._before_update())
        optimizer.register_step_post_hook(lambda *_: self._after_update())

    def run(self, step: Step, steps: int) -> dict[Key, Expected]:
        for number in range(1, steps + 1):
            self._seen.clear()
            step()
            for (role, name), tensors in self._seen.items():
                self.expected[number, role, name] = summarise(tensors)
        return self.expected

    def _hook(self, name: str, layer: nn.Module) -> None:
        def on_output(_layer: nn.Module, _inputs: object, output: Tensor) -> None:
            self._add("act", name, output)
            if output.requires_grad:
                output.register_hook(lambda grad: self._add("act_grad", name, grad))

        layer.register_forward_hook(on_output)

    def _add(self, role: str, name: str, tensor: Tensor) -> None:
        # A copy: layers that work in place change the tensor after it was seen.
        self._seen.setdefault((role, name), []).append(tensor.detach().clone())

    def _before_update(self) -> None:
        for name, parameter in self._parameters():
            self._add("param", name, parameter)
            assert parameter.grad is not None
            self._add("grad", name, parameter.grad)

    def _after_update(self) -> None:
        for name, parameter in self._parameters():
            (before,) = self._seen["param", name]
            self._add("update", name, sampled(parameter.detach() - before))

    def _parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        return self._model.named_parameters()


def sampled(change: Tensor) -> Tensor:
    """Of a large parameter the first 64 of every so many elements: what is documented for its update."""
    step = -(-change.numel() // LARGEST_UPDATE)
    places = np.arange(change.numel())
    return change.reshape(-1)[places % (64 * step) < 64] if step > 1 else change


def summarise(tensors: list[Tensor]) -> Expected:
    """
    >>> from torch import tensor
    >>> summarise([tensor([0.0, 2.0]), tensor([4.0])]).mean
    2.0
    """
    values = np.concatenate([tensor.double().reshape(-1).numpy() for tensor in tensors])
    return Expected(
        calls=len(tensors),
        bytes=sum(tensor.numel() * tensor.element_size() for tensor in tensors),
        count=values.size,
        zeros=int((values == 0).sum()),
        min=float(values.min()),
        max=float(values.max()),
        mean=float(values.mean()),
        std=float(values.std()),
        rms=float(np.sqrt((values * values).mean())),
    )
