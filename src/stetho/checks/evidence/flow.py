"""The order of the data flow: layers sorted so that what feeds comes before what is fed."""

from collections.abc import Iterable

from stetho.checks.run.facts import Edge, Layer, Model


def in_forward_order(models: Iterable[Model], layers: Iterable[Layer], edges: Iterable[Edge]) -> tuple[Layer, ...]:
    """The innermost layers that trained models called, model by model; in order of registration where no edge is known.

    >>> layers = [Layer("head", "Linear"), Layer("", "Net"), Layer("body", "Linear"), Layer("spare", "Linear", calls=0)]
    >>> [layer.name for layer in in_forward_order([Model(0, "Net")], layers, [Edge("body", "head")])]
    ['body', 'head']
    """
    layers, edges = list(layers), list(edges)
    ordered: list[Layer] = []
    for model in models:
        if model.is_trained:
            called = [layer for layer in layers if layer.model == model.id and layer.calls > 0]
            ordered += _sorted(_innermost(called), {(e.source, e.target) for e in edges if e.model == model.id})
    return tuple(ordered)


def _innermost(layers: list[Layer]) -> list[Layer]:
    outer = {""}
    for layer in layers:
        parts = layer.name.split(".")
        outer |= {".".join(parts[:end]) for end in range(1, len(parts))}
    # A model that is a single layer has the empty name and holds no others.
    return [layer for layer in layers if layer.name not in outer] or layers


def _sorted(layers: list[Layer], edges: set[tuple[str, str]]) -> list[Layer]:
    waits_for = {layer.name: {source for source, target in edges if target == layer.name} for layer in layers}
    names = set(waits_for)
    for name, sources in waits_for.items():
        waits_for[name] = (sources & names) - {name}
    ordered: list[Layer] = []
    while layers:
        # A layer that is used twice may feed itself in a circle; the one registered first breaks it.
        following = next((layer for layer in layers if not waits_for[layer.name]), layers[0])
        layers = [layer for layer in layers if layer is not following]
        ordered.append(following)
        for sources in waits_for.values():
            sources.discard(following.name)
    return ordered
