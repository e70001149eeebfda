"""Twins: two parts of a program that begin with the same values, and are each given inputs of the same kind."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from stetho.checks.run.facts import Layer, Parameter
from stetho.checks.window import Window

MEASURES = ("param.min", "param.max", "param.mean", "param.std")

Part = tuple[Layer, tuple[Parameter, ...]]


@dataclass(frozen=True, slots=True)
class Twins:
    """Two layers, or models, with equal first values, and how many these are."""

    one: Layer
    other: Layer
    count: int


def separated_twins(window: Window) -> Twins | None:
    """The largest two of a kind that were copied, are trained side by side on inputs alike, and go separate ways.

    More than two are a stack or a choice of experts. One that feeds the other is the next layer, two that are given the
    very same tensor are two opinions, and two that are trained one after the other are two trainings.
    """
    alike: dict[object, list[Part]] = defaultdict(list)
    for layer in window.layers:
        own = _parameters(window, layer)
        if layer.calls and window.is_trained(layer.model) and any(len(p.shape) > 1 for p in own):
            values = tuple(_values(window, p, first=True) for p in own)
            if all(values):
                names = tuple(p.name.removeprefix(layer.name) for p in own)
                alike[layer.kind, names, values].append((layer, own))
    pairs = [(one, other) for one, *others in alike.values() if len(others) == 1 for other in others]
    for one, other in sorted(pairs, key=lambda pair: -sum(p.count for p in pair[0][1])):
        ends = [[_values(window, p, first=False) for p in own] for _, own in (one, other)]
        is_whole = not any(_is_below(one[0], first[0]) and _is_below(other[0], second[0]) for first, second in pairs)
        may_be = is_whole and ends[0] != ends[1] and not _is_stacked(one[0], other[0]) and _overlap(window, one, other)
        if may_be and _is_fed_alike(window, one[0], other[0]):
            return Twins(one[0], other[0], sum(p.count for p in one[1]))
    return None


def _overlap(window: Window, one: Part, other: Part) -> bool:
    """Whether both were trained at some time."""
    (first, last), (begins, ends) = (_trained(window, own[0]) for _, own in (one, other))
    return first <= ends and begins <= last


def _trained(window: Window, parameter: Parameter) -> tuple[int, int]:
    """The first and the last step in which a parameter was measured."""
    series = window.parameter_stat(MEASURES[0], parameter)
    return (int(series.steps[0]), int(series.steps[-1])) if series is not None and len(series) else (0, 0)


def _is_below(layer: Layer, holder: Layer) -> bool:
    """Whether it is a part of another: what the whole is not, its parts are not either."""
    return layer.name != holder.name and layer.model == holder.model and _is_in(layer.name, holder)


def _is_stacked(one: Layer, other: Layer) -> bool:
    """Whether they are numbered members of one list, as the layers of an encoder are."""
    (above, last), (above_other, last_other) = (layer.name.rpartition(".")[::2] for layer in (one, other))
    return one.model == other.model and above == above_other and last.isdigit() and last_other.isdigit()


def _parameters(window: Window, layer: Layer) -> tuple[Parameter, ...]:
    """All parameters below a layer; none if some of them are not trained."""
    start = f"{layer.name}." if layer.name else ""
    own = [p for p in window.parameters if p.model == layer.model and p.name.startswith(start)]
    return tuple(own) if all(p.trainable and p.optimizer is not None for p in own) else ()


def _values(window: Window, parameter: Parameter, *, first: bool) -> tuple[float, ...]:
    """What stands for the values of a parameter at one end of the run."""
    found = [window.parameter_stat(stat, parameter) for stat in MEASURES]
    known = [one for one in found if one is not None and len(one)]
    return tuple(one.first if first else one.last for one in known) if len(known) == len(MEASURES) else ()


def _is_fed_alike(window: Window, one: Layer, other: Layer) -> bool:
    """Whether inputs come from one place, and first activations, made by the same weights, are alike, but not equal."""
    if _sources(window, one) != _sources(window, other):
        return False
    entries = [_entry(window, layer) for layer in (one, other)]
    means, spreads = ([_first(window, f"act.{measure}", entry) for entry in entries] for measure in ("mean", "std"))
    size = max(spreads)
    return bool(
        (means[0], spreads[0]) != (means[1], spreads[1])
        and abs(means[0] - means[1]) < 0.3 * size
        and min(spreads) > 0.6 * size > 0
    )


def _first(window: Window, stat: str, layer: Layer | None) -> float:
    """What a layer was measured at first; no number when it was not."""
    series = window.layer_stat(stat, layer) if layer is not None else None
    return series.first if series is not None and len(series) else np.nan


def _sources(window: Window, layer: Layer) -> set[str]:
    """Where the inputs of a part come from."""
    edges = [edge for edge in window.edges if edge.model == layer.model and _is_in(edge.target, layer)]
    return {edge.source for edge in edges if not _is_in(edge.source, layer)}


def _entry(window: Window, layer: Layer) -> Layer | None:
    """The first layer inside that computes with weights."""
    weighted = {p.layer for p in window.parameters if p.model == layer.model}
    return next(
        (each for each in window.forward_order if each.model == layer.model and _is_in(each.name, layer)
         and each.name in weighted),
        None,
    )  # fmt: skip


def _is_in(name: str, layer: Layer) -> bool:
    return not layer.name or name == layer.name or name.startswith(f"{layer.name}.")
