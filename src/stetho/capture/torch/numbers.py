"""Single numbers out of tensors, without stopping an accelerator."""

from collections.abc import Sequence

import torch
from torch import Tensor

HAS_DEVICE = bool(torch.version.cuda or torch.version.hip)
"""Whether this torch can use an accelerator whose memory can be asked for."""

Number = float | Tensor
"""A number, or one that still lies on a device as a tensor of ours without history."""


def number(tensor: Tensor) -> Number:
    """The value of a one-element tensor: at once on the CPU, later elsewhere.

    >>> number(torch.tensor(2.5))
    2.5
    """
    detached = tensor.detach()
    return float(detached.item()) if detached.is_cpu else detached.clone()


def fetch_numbers(tensors: Sequence[Tensor]) -> list[float]:
    """The values of one-element tensors, with one transfer for each device.

    >>> fetch_numbers([torch.tensor(1.0), torch.tensor(2)])
    [1.0, 2.0]
    """
    by_device: dict[torch.device, list[int]] = {}
    for index, tensor in enumerate(tensors):
        by_device.setdefault(tensor.device, []).append(index)
    values = [0.0] * len(tensors)
    for places in by_device.values():
        fetched = torch.stack([tensors[place].reshape(()).double() for place in places]).tolist()
        for place, value in zip(places, fetched, strict=True):
            values[place] = value
    return values


def device_memory() -> dict[str, object]:
    """Bytes in use on the accelerator; nothing where the program uses none."""
    if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return {}
    return {
        "device_memory": torch.cuda.memory_allocated(),
        "device_memory_peak": torch.cuda.max_memory_allocated(),
    }
