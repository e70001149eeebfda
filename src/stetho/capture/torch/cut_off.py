"""Layers with weights that no loss depends on, and the line behind them that may have cut the graph."""

from stetho.capture.cuts import cut_at
from stetho.capture.torch.models import Model


def cuts_of(model: Model) -> dict[str, str]:
    """By layer whose own weights need a gradient and are at the end of no loss: where the graph is cut behind it."""
    missed = [weight for weight in model.weights.values() if not weight.reached]
    names = {weight.name.rpartition(".")[0] for weight in missed if getattr(weight.ref(), "requires_grad", False)}
    called = {layer.name: str(layer.called) for layer in model.layers.values() if layer.called is not None}
    cuts = {name: cut_at(tuple(called[each] for each in _with_holders(name) if each in called)) for name in names}
    return {name: line for name, line in cuts.items() if line is not None}


def _with_holders(name: str) -> list[str]:
    """A name and those of all that hold it, from inside out."""
    names = [name]
    while names[-1]:
        names.append(names[-1].rpartition(".")[0])
    return names
