"""The backward pass of a captured call."""

from collections.abc import Collection, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module

from stetho.comparing.models.trace import INPUT, Array, Site
from stetho.comparing.torch.snapshots import array_of

SEED = 0


def gradients(
    sites: Sequence[Site], tensors: Sequence[tuple[Tensor, int]], model: Module, ends: list[int], kinds: Collection[str]
) -> tuple[dict[str, Array], list[Array]]:
    """By weights and inputs, and put into sites: of a sum of outputs with fixed weights, which depend on their shapes.

    `tensors` are those of the sites, each with its version at the time of the site; `kinds` are those of the sites
    that get a gradient.
    """
    outputs = [tensors[end][0] for end in ends if tensors[end][0].requires_grad]
    weights = dict(model.named_parameters())
    if not outputs:
        return {}, []
    wanted_sites = [
        site
        for site, (tensor, version) in zip(sites, tensors, strict=True)
        if tensor.requires_grad and version == tensor._version and site.kind in kinds
    ]
    starts = [each for each in weights.values() if each.requires_grad]
    wanted = [*starts, *(tensors[site.number][0] for site in wanted_sites)]
    outward = [_direction(each) for each in outputs]
    found = torch.autograd.grad(outputs, wanted, outward, allow_unused=True)
    for site, gradient in zip(wanted_sites, found[len(starts) :], strict=True):
        # Nobody else holds what the backward pass gave, so nobody changes it.
        site.gradient = None if gradient is None else array_of(gradient, copy=False)
    names = [name for name, each in weights.items() if each.requires_grad]
    own = {
        name: np.zeros(start.shape) if each is None else array_of(each, copy=False)
        for name, start, each in zip(names, starts, found, strict=False)
    }
    inputs = [site.gradient for site in sites if site.kind == INPUT and site.gradient is not None]
    return own, inputs


def _direction(tensor: Tensor) -> Tensor:
    generator = torch.Generator().manual_seed(SEED)
    return torch.randn(tensor.shape, generator=generator, dtype=torch.float64).to(tensor)
