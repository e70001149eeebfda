"""Tensors that one model holds and the other computes of its weights: norms folded into a layer, weights in parts."""

import numpy as np

from stetho.comparing.models.trace import CONSTANT, OPERATION, WEIGHT, Array, Site, Trace
from stetho.comparing.porting.recipe import Recipe

FOLDED = " with "
MOVING = frozenset(
    ("t", "T", "mT", "transpose", "permute", "view", "reshape", "flatten", "unflatten", "squeeze", "unsqueeze",
     "expand", "contiguous", "to", "float", "double", "detach", "getitem", "chunk", "split", "clone", "cat", "stack")
)  # fmt: skip
"""Functions that give the numbers they take."""


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


def made_weights(trace: Trace) -> dict[str, Array]:
    """What a model computes of its weights alone before it uses it: a direction times a length, a mean taken off."""
    found: dict[str, Array] = {}
    for site in trace.sites:
        if site.kind not in (OPERATION, CONSTANT) or site.is_data or not site.is_float or site.name in MOVING:
            continue
        # What nobody was seen to make may be made of weights too.
        sources = _sources(trace, site) or ([site.label] if site.kind == CONSTANT else [])
        if sources and any(trace.sites[each].is_data for each in trace.consumers.get(site.number, [])):
            found.setdefault(f"{sources[0]}{FOLDED}{site.name} {site.number}", site.value)
    return found


def directly_used(trace: Trace) -> set[str]:
    """Names of the weights that meet the data as they are."""
    weights = [site for site in trace.sites if site.kind == WEIGHT]
    return {
        site.name for site in weights if any(trace.sites[each].is_data for each in trace.consumers.get(site.number, []))
    }


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


def _sources(trace: Trace, site: Site) -> list[str]:
    """Names of the weights that a site is made of."""
    found = []
    for each in (trace.sites[number] for number in site.operands):
        found += [each.name] if each.kind == WEIGHT else _sources(trace, each)
    return found
