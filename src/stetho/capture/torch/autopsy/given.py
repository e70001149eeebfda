"""Which of the tensors that came into a step from outside is bad, and in which samples."""

from typing import Any

from torch import Tensor

from stetho.capture.torch.autopsy.births import Birth
from stetho.capture.torch.autopsy.kept import Event, RootCall
from stetho.capture.torch.autopsy.nonfinite import bad_facts
from stetho.capture.torch.autopsy.tape import Tape
from stetho.capture.torch.calls.leaves import tensor_leaves


def bad_data(birth: Birth, events: list[Event]) -> dict[str, Any]:
    """Where bad data came in, and what can be said of the first tensor that is bad."""
    taker = birth.chain[0] if birth.chain else None
    facts: dict[str, Any] = {"line": taker.line if taker else None, "layer": taker.layer if taker else None}
    if birth.facts:
        # It was met inside of a model that was not given it: no samples of a batch are in it.
        return facts | {key: value for key, value in birth.facts.items() if key != "samples"}
    given = tensors_from_outside(events)
    # Minus infinity alone is most likely a mask: it is the culprit only where nothing else is.
    bad = (found for masks in (False, True) for tensor in given if (found := bad_facts(tensor, masks=masks)))
    return facts | next(bad, {})


def tensors_from_outside(events: list[Event]) -> list[Tensor]:
    """What models and the operations between them were given, and nothing in the step had made."""
    found = []
    for event in events:
        if isinstance(event, RootCall):
            found += [tensor for _, tensor in tensor_leaves((event.args, event.kwargs))]
        elif isinstance(event, Tape):
            made = {id(tensor) for op in event.ops for _, tensor in tensor_leaves(op.result)}
            given = [tensor for op in event.ops for _, tensor in tensor_leaves((op.args, op.kwargs))]
            found += [tensor for tensor in given if id(tensor) not in made and tensor.grad_fn is None]
    return found
