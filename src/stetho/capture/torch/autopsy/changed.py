"""Gradients that were finite after the backward pass and are not before the update: the program has changed them."""

from typing import Any

from stetho.capture.text.gradients import changed_at
from stetho.capture.torch.autopsy.kept import BackwardCall, Event, RootCall
from stetho.capture.torch.autopsy.nonfinite import bad_facts
from stetho.capture.torch.models.models import unwrapped


def changed_gradient(events: list[Event], update: str | None) -> dict[str, Any]:
    """The first gradient that is bad, and the line that writes to gradients; nothing where none is."""
    backward = next((event.line for event in reversed(events) if isinstance(event, BackwardCall)), None)
    for call in [event for event in events if isinstance(event, RootCall)]:
        for name, parameter in unwrapped(call.module).named_parameters():
            facts = bad_facts(parameter.grad, masks=True)
            if facts:
                line = changed_at(backward, update) if backward is not None else None
                del facts["samples"]
                full = f"{call.layer}.{name}" if call.layer else name
                return {"phase": "changed gradient", "name": full, "line": line or backward, **facts}
    return {}
