"""Norms that are folded into the layer before them: the tensors that a fused model has in the place of both."""

import numpy as np

from stetho.comparing.models.trace import WEIGHT, Array, Site, Trace
from stetho.comparing.porting.recipe import Recipe

FOLDED = " with "


def folded_weights(trace: Trace) -> dict[str, Array]:
    """For each batch norm right behind a convolution or a linear layer, weight and bias of the two in one."""
    found: dict[str, Array] = {}
    for site in trace.sites:
        before = trace.sites[site.operands[0]] if site.operands else site
        if site.name != "batch_norm" or not before.name.startswith(("conv", "linear")):
            continue
        norm = _weights(trace, site)
        layer = _weights(trace, before)
        values = trace.weights
        epsilon = site.arguments.get("eps")
        if len(norm) != 4 or not layer or not isinstance(epsilon, float) or any(name not in values for name in norm):
            continue
        mean, variance, weight, bias = (values[name] for name in norm)
        factor = weight / np.sqrt(variance + epsilon)
        kernel = values[layer[0]]
        own = f"{FOLDED}{norm[2].rpartition('.')[0]}"
        found[layer[0] + own] = kernel * factor.reshape(-1, *[1] * (kernel.ndim - 1))
        found[f"{layer[0].rpartition('.')[0]}.bias{own}"] = (
            bias + ((values[layer[1]] if len(layer) > 1 else 0) - mean) * factor
        )
    return found


def is_derived(recipe: Recipe) -> bool:
    """Whether a tensor was computed from its sources, and not only laid out anew: it was then rounded."""
    return recipe.is_summed or any(FOLDED in source for source in recipe.sources)


def is_source(name: str, source: str) -> bool:
    """Whether a weight is a source, or is folded into it.

    >>> is_source("bn1.running_mean", "conv1.weight with bn1"), is_source("bn2.bias", "conv1.weight with bn1")
    (True, False)
    """
    layer, sign, norm = source.partition(FOLDED)
    stem = name.rpartition(".")[0]
    return name == source or bool(sign and stem in (norm, layer.rpartition(".")[0]))


def _weights(trace: Trace, site: Site) -> list[str]:
    """Names of the weights of an operation in the order in which it takes them."""
    return [trace.sites[each].name for each in site.operands if trace.sites[each].kind == WEIGHT]
