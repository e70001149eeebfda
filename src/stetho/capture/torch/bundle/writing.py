"""Writes the step that was kept into a folder: bundle.json, tensors.safetensors, and the sources of the model."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from stetho.capture.torch.autopsy.kept import BackwardCall, Event, RootCall
from stetho.capture.torch.autopsy.outside import is_own
from stetho.capture.torch.autopsy.tape import Tape, TapeOp
from stetho.capture.torch.bundle.encoding import Encoder
from stetho.capture.torch.calls.leaves import tensor_leaves
from stetho.capture.torch.models.models import unwrapped
from stetho.store.documents import encode

FORMAT = 1
LARGEST = 2 << 30
HOMES = {"torch.Tensor": Tensor, "torch.nn.functional": torch.nn.functional, "torch": torch}
DOCUMENT, TENSORS, SOURCES = "bundle.json", "tensors.safetensors", "source"


class TooLarge(Exception):
    """The step holds more than a bundle may."""


def write_bundle(
    folder: Path, events: list[Event], facts: Mapping[str, Any], optimizers: list[Optimizer]
) -> dict[str, Any]:
    """Write a bundle; gives what it contains, for people: counts, bytes, and what had to be left out."""
    encoder = Encoder()
    document = {"format": FORMAT, **facts, "events": _events(encoder, events)}
    document["optimizers"] = [_optimizer(encoder, optimizer) for optimizer in optimizers]
    document |= {
        "modules": encoder.modules,
        "tensors": encoder.facts,
        "sources": encoder.sources,
        "left_out": encoder.left_out,
    }
    size = sum(tensor.nbytes for tensor in encoder.tensors.values())
    if size > LARGEST:
        raise TooLarge(f"the step holds {size >> 20} MiB, more than the {LARGEST >> 20} MiB that a bundle may")
    _save(folder, document, encoder.tensors)
    return {
        "bytes": size,
        "tensors": len(encoder.tensors),
        "files": sorted(source["file"] for source in encoder.sources.values()),
        "left_out": encoder.left_out,
    }


def _save(folder: Path, document: Mapping[str, Any], tensors: dict[str, Tensor]) -> None:
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    save_file(tensors, folder / TENSORS)
    (folder / SOURCES).mkdir()
    for source in document["sources"].values():
        (folder / SOURCES / Path(source["file"]).name).write_text(source["text"], encoding="utf-8")
    (folder / DOCUMENT).write_bytes(encode(document, indent=1))


def read_bundle(folder: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Document and tensors of a bundle; FileNotFoundError where there is none."""
    from safetensors.torch import load_file

    document = json.loads((folder / DOCUMENT).read_text(encoding="utf-8"))
    return document, load_file(folder / TENSORS)


def _events(encoder: Encoder, events: list[Event]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for event in events:
        if isinstance(event, RootCall):
            found.append(_call(encoder, event))
        elif isinstance(event, Tape):
            found += [_operation(encoder, op) for op in event.ops]
        else:
            found.append(_backward(encoder, event, events))
    return found


def _call(encoder: Encoder, call: RootCall) -> dict[str, Any]:
    encoder.begins_with(call.carried)
    return {
        "kind": "call",
        "module": encoder.module(unwrapped(call.module)),
        "layer": call.layer,
        "args": encoder.value(call.args),
        "kwargs": encoder.value(call.kwargs),
        "line": call.line,
        "grad": call.grad,
        "random": encoder.state(call.random[0]),
        "autocast": _precision(call.autocast),
        "results": encoder.results(call.output),
    }


def _operation(encoder: Encoder, op: TapeOp) -> dict[str, Any]:
    if op.before is not None:
        encoder.key(op.args[0], content=op.before)
    return {
        "kind": "operation",
        **_function(encoder, op.func),
        "args": encoder.value(op.args),
        "kwargs": encoder.value(op.kwargs),
        "line": ":".join(map(str, op.place)) if op.place is not None else None,
        "grad": op.grad,
        "random": encoder.state(op.random) if op.random is not None else None,
        "autocast": _precision(op.autocast),
        "results": encoder.results(op.result),
    }


def _function(encoder: Encoder, function: Any) -> dict[str, Any]:
    owner = getattr(function, "__self__", None)
    if isinstance(owner, type) and issubclass(owner, torch.autograd.Function):
        return {"function": "apply", "of": encoder.name(owner)}
    if isinstance(owner, Module):
        return {"function": "call", "module": encoder.module(owner)}
    if is_own(function):
        return {"function": "call", "of": encoder.name(function), "globals": _variables(encoder, function)}
    return {"function": function_name(function)}


def _variables(encoder: Encoder, function: Any) -> dict[str, Any]:
    """Tensors and modules that a function takes from its file; plain constants are in the source."""
    scope = function.__globals__
    used = {name: scope[name] for name in function.__code__.co_names if name in scope}
    return {name: encoder.value(value) for name, value in used.items() if isinstance(value, Tensor | Module)}


def function_name(function: Any) -> str:
    """The dotted name of a function of the framework, also of one that we have wrapped.

    >>> function_name(torch.Tensor.log), function_name(torch.nn.functional.mse_loss)
    ('torch.Tensor.log', 'torch.nn.functional.mse_loss')
    """
    name: str = function.__name__
    own = set(map(id, _layers(function)))
    for home, owner in HOMES.items():
        if own.intersection(map(id, _layers(getattr(owner, name, None)))):
            return f"{home}.{name}"
    known: str | None = torch.overrides.resolve_name(function)
    return known or f"{getattr(function, '__module__', None) or 'torch'}.{name}"


def _layers(function: Any) -> Iterator[Any]:
    """A function, and what it is wrapped around."""
    while function is not None:
        yield function
        function = getattr(function, "__wrapped__", None)


def _backward(encoder: Encoder, call: BackwardCall, events: list[Event]) -> dict[str, Any]:
    gradients = []
    for event in events:
        if isinstance(event, RootCall):
            outputs = [tensor for _, tensor in tensor_leaves(event.output)]
            gradients += [[encoder.key(outputs[n], made=True), encoder.state(g)] for n, g in event.gradients.items()]
    value = call.loss.detach().double().mean().item()
    return {
        "kind": "backward",
        "loss": encoder.key(call.loss, made=True),
        "value": encoder.value(float(value)),
        "line": call.line,
        "gradients": gradients,
    }


def _precision(state: tuple[tuple[str, torch.dtype], ...]) -> list[list[str]]:
    return [[device, str(dtype).removeprefix("torch.")] for device, dtype in state]


def _optimizer(encoder: Encoder, optimizer: Optimizer) -> dict[str, Any]:
    groups = [
        {key: encoder.value(value) for key, value in group.items() if key != "params"}
        | {"parameters": [encoder.key(parameter) for parameter in group["params"]]}
        for group in optimizer.param_groups
    ]
    state = [
        [encoder.key(parameter), {str(key): encoder.value(value) for key, value in held.items()}]
        for parameter, held in optimizer.state.items()
    ]
    return {"class": encoder.name(type(optimizer)), "groups": groups, "state": state}
