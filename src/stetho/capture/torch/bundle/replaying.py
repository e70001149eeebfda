"""Runs a bundle under the tracer: the same value, and where it was born."""

import struct
from pathlib import Path
from typing import Any

from torch import Tensor

from stetho.capture.environment import changed, surroundings
from stetho.capture.torch.autopsy.births import births_of
from stetho.capture.torch.autopsy.document import birth_document
from stetho.capture.torch.autopsy.nonfinite import bad_facts
from stetho.capture.torch.autopsy.tracer import OpTracer, place_of
from stetho.capture.torch.bundle.rebuild import Step
from stetho.capture.torch.bundle.writing import read_bundle
from stetho.capture.torch.calls.leaves import tensor_leaves


def replay_bundle(folder: Path) -> dict[str, Any]:
    """What came of running the step again: its loss, whether that is the recorded one, and where bad values began."""
    document, tensors = read_bundle(folder)
    tracer = OpTracer(until=_run.__code__)
    step = Step(document, tensors)

    def at(line: str | None, phase: str) -> None:
        tracer.line, tracer.phase = line, phase

    step.on_line = at
    step.prepare()
    for key, facts in document["tensors"].items():
        tracer.name(step.tensor(key), "parameter" if facts["parameter"] else "value from outside")
    named: dict[str, Tensor] = {}
    for event in document["events"]:
        if event["kind"] == "call":
            _name(tracer, step, event, named)
    with tracer:
        _run(step)
    ends = [tracer.maker(step.loss)] if step.loss is not None else []
    if not any(ends):
        ends = [tracer.maker(gradient) for gradient in step.gradients.values()]
    births = births_of([end for end in ends if end is not None], tracer.log.by_number)
    # Buffers are those after the forward pass: what it wrote into them did not begin there.
    births = [birth for birth in births if not (birth.origin or "").startswith("buffer")] or births
    before = recorded_loss(document)
    now = step.loss_value
    return {
        "step": document.get("step"),
        "recorded": before,
        "replayed": now,
        "same": now is not None and before is not None and _bits(now) == _bits(before),
        "finite": step.is_finite,
        "limit": document.get("loss_limit") if step.is_high else None,
        "changed": changed(document.get("environment") or {}, surroundings()),
        "operations": tracer.count,
        "births": [
            birth_document(birth, batch=document.get("batch_size")) | _bad(birth.origin or "", named)
            for birth in births
        ],
    }


def _bad(origin: str, named: dict[str, Tensor]) -> dict[str, Any]:
    """What is bad in a tensor that came into the step; only those of the data have samples."""
    facts = bad_facts(named.get(origin))
    return {key: fact for key, fact in facts.items() if key != "samples" or origin.startswith("input")}


def recorded_loss(document: dict[str, Any]) -> float | None:
    """The loss that the program had."""
    values = [event["value"] for event in document["events"] if event["kind"] == "backward"]
    if not values:
        return None
    return float(values[-1]["float"]) if isinstance(values[-1], dict) else float(values[-1])


def _name(tracer: OpTracer, step: Step, event: dict[str, Any], named: dict[str, Tensor]) -> None:
    """Tell the tracer what tensors are, and which layer is at work; enters the tensors under their names."""
    module = step.module(event["module"])
    own: dict[str, Tensor] = {f"parameter {name}": tensor for name, tensor in module.named_parameters()}
    own |= {f"buffer {name}": tensor for name, tensor in module.named_buffers()}

    def called(_module: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        # Only now: what one model gives to the next is made in this very step, and was made by it.
        given = {f"input{path}": tensor for path, tensor in tensor_leaves((args, kwargs)) if tensor.grad_fn is None}
        named.update(given)
        tracer.origins.update({place_of(tensor): name for name, tensor in given.items()})

    named.update(own)
    tracer.origins.update({place_of(tensor): name for name, tensor in own.items()})
    module.register_forward_pre_hook(called, with_kwargs=True)
    for part_name, part in module.named_modules():
        label = ".".join(each for each in (event["layer"], part_name) if each) or type(part).__name__
        part.register_forward_pre_hook(lambda *_, label=label: tracer.layers.append(label))
        part.register_forward_hook(lambda *_: _left(tracer))


def _left(tracer: OpTracer) -> None:
    if tracer.layers:
        tracer.layers.pop()


def _run(step: Step) -> None:
    step.run()


def _bits(value: float) -> bytes:
    return b"nan" if value != value else struct.pack("<d", value)
