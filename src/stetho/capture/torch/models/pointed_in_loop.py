"""For lines of the training loop: the lines near them that the program's text points at."""

from collections.abc import Iterator, Mapping
from typing import Any

from stetho.capture.text.amounts import amounts_at
from stetho.capture.text.broken_off import broken_off_at
from stetho.capture.text.carried import carried_at
from stetho.capture.text.changed import changed_at
from stetho.capture.text.discarded import discarded_text
from stetho.capture.text.floored import floored_at, floored_before
from stetho.capture.text.gathered import gathered_at
from stetho.capture.text.held import held_at
from stetho.capture.text.kept import kept_at
from stetho.capture.text.modes import mode_at
from stetho.capture.text.reseeded import worker_seeded_at
from stetho.capture.text.sliced import batch_written_at
from stetho.capture.text.stepping import emptied_at, step_guarded_at, zeroed_outside_at
from stetho.capture.text.undefined import operation_at, undefined_at, undefined_before
from stetho.capture.torch.models.telling import Pointed, told

MOST_LINES = 4
MOST_LAYERS = 16
AROUND_BACKWARD = {"kept": kept_at, "condition": step_guarded_at, "zeroed": zeroed_outside_at, "emptied": emptied_at}
EVALUATING = ("evaluation", "evaluation called", "unused forward")


def in_loop(model: Mapping[str, Any]) -> Iterator[Pointed]:
    """What stands around each `backward`, before each evaluation, and behind each model that is called.

    >>> list(in_loop({"lines": {"evaluation": ["no such file.py:3"]}}))
    [('no such file.py:3', 'mode', None)]
    """
    lines = model.get("lines", {})
    for line in lines.get("backward", ())[:MOST_LINES]:
        yield from ((line, what, told(reader, line)) for what, reader in AROUND_BACKWARD.items())
    for line in lines.get("step", ())[:MOST_LINES]:
        planned = told(broken_off_at, line) or {}
        yield from ((line, f"rounds={rounds}", decided) for rounds, decided in planned.items())
    for event in EVALUATING:
        yield from ((line, "mode", told(mode_at, line)) for line in lines.get(event, ())[:MOST_LINES])
    yield from ((line, "discarded", told(discarded_text, line)) for line in lines.get("discarded", ())[:1])
    for loader in model.get("loaders", ())[:MOST_LINES]:
        yield from _amounts(loader.get("line"))
        for line in {loader.get("line"), loader.get("given_at")}:
            yield from _undefined(line, "undefined", told(undefined_at, line))
            yield line, "floored", told(floored_at, line)
        yield loader.get("line"), "worker seed", told(worker_seeded_at, loader.get("line"))
    for each in model.get("models", ())[:MOST_LINES]:
        yield from _of_model(each.get("layers", ()))
        yield from _undefined(each.get("fed"), "undefined", told(undefined_at, each.get("fed")))
        yield each.get("fed"), "gathered", told(gathered_at, each.get("fed"))
        yield each.get("fed"), "floored", told(floored_at, each.get("fed"))


def _of_model(layers: list[Mapping[str, Any]]) -> Iterator[Pointed]:
    called = next((layer.get("called") for layer in layers if not layer["name"]), None)
    yield called, "batch_size", told(batch_written_at, called)
    yield called, "changed", told(changed_at, called)
    yield from _undefined(called, "undefined before", told(undefined_before, called))
    yield called, "floored before", told(floored_before, called)
    yield from _amounts(called)
    inside = [layer.get("called") for layer in layers if layer["name"] and layer.get("called") not in (None, called)]
    for line in dict.fromkeys(inside[:MOST_LAYERS]):
        carried = told(carried_at, called, line)
        if carried is not None:
            yield called, "carried", carried
            break
    strangers = [layer for layer in layers if layer.get("registered") is False]
    yield from ((layer.get("constructed"), "held", told(held_at, layer.get("constructed"))) for layer in strangers[:4])


def _undefined(line: str | None, what: str, made: str | None) -> Iterator[Pointed]:
    """Where a value may become no number, and for that line the operation that may do it."""
    yield line, what, made
    yield made, "undefined operation", told(operation_at, made)


def _amounts(line: str | None) -> Iterator[Pointed]:
    """Numbers of samples that the file of a line may mean."""
    try:
        found = amounts_at(line.rpartition(":")[0]) if line else {}
    except Exception:
        return
    yield from ((line, f"rows={number}", made) for number, made in found.items())
