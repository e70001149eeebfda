"""A variational code that is drawn without a way back: the decoder's errors never come to the encoder."""

from stetho.checks.evidence.reached import is_reached, reached_names
from stetho.checks.run.facts import Edge
from stetho.checks.window import Window
from stetho.findings.finding import Finding

DETACHED = "(detached)"
INPUT = "(input)"


def drawn_without_gradient(window: Window) -> Finding | None:
    """Two halves of a model that its loss reaches, the second of which begins with a tensor without history.

    Only where the loss has a divergence of the code: then the second half should read what the first half says. A stop
    of the gradient on purpose, as in models with a table of codes or with a slow teacher, has no such term.
    """
    if not any(graph.nats for graph in window.loss_graphs):
        return None
    for model in window.models:
        edges = [edge for edge in window.edges if edge.model == model.id and not _is_drawn(edge)]
        drawn = [edge for edge in window.edges if edge.model == model.id and _is_drawn(edge)]
        fed = {edge.target for edge in edges if edge.source != DETACHED}
        first = {edge.target for edge in (*drawn, *edges) if edge.source == DETACHED or edge in drawn} - fed
        decoder = _with_all_behind(edges, first)
        layers = {layer for edge in (*drawn, *edges) for layer in (edge.source, edge.target)} - {DETACHED, INPUT}
        ends = layers - {edge.source for edge in edges} - decoder
        if ends and all(_learns(window, model.id, names) for names in (layers - decoder, decoder)):
            return _finding(window, model.id, min(first), sorted(ends))
    return None


def _is_drawn(edge: Edge) -> bool:
    """Whether `torch.normal` is on the way, whose gradient is zero whatever it was given."""
    return any(op.startswith("Normal") for op in edge.ops)


def _with_all_behind(edges: list[Edge], found: set[str]) -> set[str]:
    """These layers and all that they feed; none if something else comes to them as well."""
    while behind := {edge.target for edge in edges if edge.source in found} - found:
        found = found | behind
    others = {edge.source for edge in edges if edge.target in found} - found - {DETACHED, INPUT}
    return set() if others else found


def _learns(window: Window, model: int, layers: set[str]) -> bool:
    reached = reached_names(window)
    return any(p.model == model and p.layer in layers and is_reached(p, reached) for p in window.parameters)


def _finding(window: Window, model: int, first: str, ends: list[str]) -> Finding:
    layer = next((each for each in window.layers if each.model == model and each.name == first), None)
    return window.finding(
        f"{first} takes a sample without history: what it gets wrong never comes back to {' and '.join(ends[:2])}, "
        "which the divergence alone trains",
        where=window.at(window.line("drawn") or (layer.called if layer is not None else None), layer=layer),
        confidence=0.95,
        try_next="Draw the code as mean + scale * noise (`rsample` in place of `sample`), so that the gradient of the "
        "reconstruction reaches the encoder.",
    )
