"""Layers that take what no gradient comes back from: a tensor without history, or one that was drawn."""

from collections.abc import Iterable, Iterator

from stetho.capture.text.draws import drawn_at
from stetho.capture.torch.models.edges import DETACHED
from stetho.capture.torch.models.models import Model


def drawn_before(models: Iterable[Model]) -> Iterator[str | None]:
    """By such layer, the line where what it takes was drawn or cut; None where the text does not tell."""
    for model in models:
        taking = {after for (before, after), ops in model.edges.items() if before == DETACHED or is_drawn(ops)}
        called = {layer.called for layer in model.layers.values() if layer.name in taking}
        yield from (drawn_at(str(line)) for line in sorted(str(each) for each in called if each is not None))


def is_drawn(ops: Iterable[str]) -> bool:
    """Whether there is a `torch.normal` among operations: its gradient is zero whatever it was given."""
    return any(op.startswith("Normal") for op in ops)
