"""What layers do not get, and the line that may have taken it: a cut graph behind them, a mask before them."""

from stetho.capture.text.cuts import cut_at, cut_in_loop
from stetho.capture.text.masks import mask_at
from stetho.capture.torch.models.attended import is_blind, is_square
from stetho.capture.torch.models.edges import DETACHED
from stetho.capture.torch.models.models import Layer, Model


def cuts_of(model: Model) -> dict[str, str]:
    """By layer that gets no gradient, or not through what it gave a moment before: where the graph is cut behind it."""
    missed = [weight for weight in model.weights.values() if not weight.reached]
    names = {weight.name.rpartition(".")[0] for weight in missed if getattr(weight.ref(), "requires_grad", False)}
    cuts = {name: cut_at(_called(model, name)) for name in names}
    cuts |= {layer.name: cut_in_loop(str(layer.called)) for layer in model.layers.values() if _forgets(model, layer)}
    return {name: line for name, line in cuts.items() if line is not None}


def _forgets(model: Model, layer: Layer) -> bool:
    """Whether a layer is called several times in a pass, is given tensors without history, and never what it gave."""
    calls = [each.calls for each in model.layers.values() if each.name == ""]
    if layer.called is None or (DETACHED, layer.name) not in model.edges or not layer.calls > max(calls, default=0):
        return False
    behind: set[str] = {layer.name}
    while further := {after for before, after in model.edges if before in behind} - behind:
        behind |= further
    return not any(before in behind and after == layer.name for before, after in model.edges)


def masks_of(model: Model) -> dict[str, str]:
    """By layer behind an attention that sees nothing but padding, or of each place to all: where its mask is made."""
    seen = [layer for layer in model.layers.values() if any(is_blind(one) or is_square(one) for one in layer.between)]
    names = [layer.name for layer in seen]
    masks = {name: mask_at(_called(model, name)) for name in names}
    return {name: line for name, line in masks.items() if line is not None}


def _called(model: Model, name: str) -> tuple[str, ...]:
    """Where a layer is called, and those that hold it, from inside out."""
    called = {layer.name: str(layer.called) for layer in model.layers.values() if layer.called is not None}
    return tuple(dict.fromkeys(called[each] for each in _with_holders(name) if each in called))


def _with_holders(name: str) -> list[str]:
    """A name and those of all that hold it, from inside out."""
    names = [name]
    while names[-1]:
        names.append(names[-1].rpartition(".")[0])
    return names
