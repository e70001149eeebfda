"""A birth as plain data, with what the training knows of the parameter, the buffer or the data that it began with."""

from dataclasses import dataclass
from typing import Any

from stetho.capture.lines import Lines
from stetho.capture.text.written import written_at
from stetho.capture.torch.autopsy.births import Birth
from stetho.capture.torch.autopsy.document import birth_document
from stetho.capture.torch.autopsy.given import bad_data
from stetho.capture.torch.autopsy.kept import Event
from stetho.capture.torch.autopsy.update import stays_finite, update_document
from stetho.capture.torch.updates.optimizers import Optimizers


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The step under way and the training that it belongs to."""

    events: list[Event]
    done: int
    """Steps before this one."""
    last_finite: int
    """The last step whose gradients were tested and were finite,"""
    last_norm: float
    """and their norm."""
    optimizers: Optimizers
    lines: Lines


def told(birth: Birth, batch: int | None, now: Circumstances) -> dict[str, Any]:
    """Where a bad value began."""
    document = birth_document(birth, batch=batch)
    origin = birth.origin or ""
    if birth.op is not None:
        return document
    taken = {"line": birth.chain[0].line, "layer": birth.chain[0].layer} if birth.chain else {}
    if origin.startswith("parameter "):
        return document | taken | parameter_document(origin.removeprefix("parameter "), now)
    if origin.startswith("buffer "):
        return document | taken | {"phase": "buffer", "name": origin.removeprefix("buffer ")}
    if origin.startswith("gradient"):
        return document | {"phase": "loss gradient"}
    return document | {"phase": "data"} | bad_data(birth, now.events)


def parameter_document(name: str, now: Circumstances) -> dict[str, Any]:
    """A parameter that is bad: from the start, by the last update, or by one that nobody looked at."""
    parameter, optimizer = now.optimizers.holder_of(name)
    if now.done == 0:
        return {"phase": "initial", "name": name}
    facts = update_document(parameter, optimizer) if parameter is not None else {}
    if now.last_finite < now.done:
        # Some steps before this one were not tested: it may have begun in any of them.
        since = {"phase": "parameter", "name": name, "faithful": False, "since": now.last_finite + 1}
        return {key: facts[key] for key in ("result", "index", "shape", "bad") if key in facts} | since
    line = now.lines.found.get("step", [None])[-1]
    if facts.get("growth") and optimizer is not None and stays_finite(optimizer, now.last_norm):
        written = written_at(line) if line is not None else None
        known = {key: facts[key] for key in ("result", "index", "shape", "bad") if key in facts}
        return known | {"phase": "changed parameter", "name": name} | ({"line": written} if written else {})
    return {"phase": "optimizer", "name": name, "line": line} | facts


def birth_place(document: dict[str, Any]) -> tuple[object, ...]:
    """What two documents of the same fault have in common."""
    return tuple(document.get(key) for key in ("phase", "operation", "line", "layer", "name", "origin", "failed"))
