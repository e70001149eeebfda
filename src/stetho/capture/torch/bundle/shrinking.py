"""Makes a bundle smaller as long as it fails the same way: fewer samples, then the smallest part of the model."""

import copy
import functools
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import Module

from stetho.capture.torch.bundle.encoding import Encoder
from stetho.capture.torch.bundle.rebuild import Step, leaves

Bundle = tuple[dict[str, Any], dict[str, Tensor]]

Seen = tuple[str, Module, Any, Any, Tensor]

SAMPLES_TRIED = 24


def failure(bundle: Bundle) -> str | None:
    """What is not finite, the loss or only gradients, or that the loss is finite and high; None where all is well.

    A step that cannot be run at all is no such failure.
    """
    try:
        step = Step(*bundle).run()
    except Exception:  # a part of the step that does not fit the rest any more
        return None
    if step.is_finite:
        return "high" if step.is_high else None
    return "loss" if step.loss is not None and not bool(torch.isfinite(step.loss).all()) else "gradient"


def shrunk(bundle: Bundle) -> tuple[Bundle, list[str]]:
    """The smallest bundle that was found, and in words what was left out."""
    words: list[str] = []
    # A high loss is one of the whole model; a layer has none.
    smaller = None if failure(bundle) == "high" else _part(bundle)
    if smaller is not None:
        bundle = smaller[0]
        words.append(f"only the layer `{smaller[1]}` of the model, with the input it had")
    before = bundle[0].get("batch_size")
    bundle = _fewer_samples(bundle, failure(bundle))
    if bundle[0].get("batch_size") != before:
        words.append(f"{bundle[0]['batch_size']} of {before} samples")
    return trimmed(bundle), words


def trimmed(bundle: Bundle) -> Bundle:
    """Without what the step does not use: optimizers, statistics, tensors of neither."""
    document, tensors = bundle
    kept = {key: document[key] for key in ("format", "step", "batch_size", "events", "modules", "sources")}
    kept["loss_limit"] = document.get("loss_limit")
    used = set(_strings(kept))
    kept["tensors"] = {key: facts for key, facts in document["tensors"].items() if key in used}
    return kept, {key: tensor for key, tensor in tensors.items() if key in used}


# ---- samples


def _fewer_samples(bundle: Bundle, kind: str | None) -> Bundle:
    batch = bundle[0].get("batch_size")
    if not isinstance(batch, int) or batch < 2:
        return bundle
    told = [row for birth in bundle[0].get("births", []) for row in birth.get("samples", [])]
    for row in [row for row in dict.fromkeys([*told, *range(batch)]) if row < batch][:SAMPLES_TRIED]:
        for smaller in _cut(bundle, [row]):
            if failure(smaller) == kind:
                return smaller
    for rows in (list(range(batch // 2)), list(range(batch // 2, batch))):
        for smaller in _cut(bundle, rows):
            if failure(smaller) == kind:
                return _fewer_samples(smaller, kind)
    return bundle


def _cut(bundle: Bundle, rows: list[int]) -> Iterator[Bundle]:
    """The step with some samples only, in the ways that the size of the batch may stand in its operations."""
    document, tensors = bundle
    batch, count = document["batch_size"], len(rows)
    of_data = [key for key, facts in document["tensors"].items() if not facts["parameter"]]
    parts = {_key(code) for module in document["modules"] for code in module["buffers"].values()}
    chosen = {key: tensors[key] for key in of_data if key not in parts}
    cut = {key: tensor[rows] for key, tensor in chosen.items() if tensor.dim() and tensor.shape[0] == batch}
    for also_numbers in (False, True):
        smaller = copy.deepcopy(document) | {"batch_size": count}
        smaller["events"] = [_resized(event, batch, count, also_numbers) for event in document["events"]]
        yield smaller, {**tensors, **cut}


def _resized(code: Any, batch: int, count: int, numbers: bool) -> Any:
    if isinstance(code, dict):
        if code.get("range") == [0, batch, 1]:
            return {"range": [0, count, 1]}
        return {key: _resized(value, batch, count, numbers) for key, value in code.items()}
    if isinstance(code, list):
        return [_resized(value, batch, count, numbers) for value in code]
    return count if numbers and code == batch and isinstance(code, int) and not isinstance(code, bool) else code


def _key(code: Any) -> str | None:
    return code.get("tensor") if isinstance(code, dict) else None


def _strings(code: Any) -> Iterator[str]:
    if isinstance(code, str):
        yield code
    elif isinstance(code, Mapping):
        for value in code.values():
            yield from _strings(value)
    elif isinstance(code, (list, tuple)):
        for value in code:
            yield from _strings(value)


# ---- parts of the model


def _part(bundle: Bundle) -> tuple[Bundle, str] | None:
    """The smallest layer that makes a bad value, or a bad gradient, out of finite inputs."""
    document, tensors = bundle
    calls = [event for event in document["events"] if event["kind"] == "call"]
    if len(calls) != 1:
        return None
    step = Step(document, tensors)
    step.prepare()
    root = step.module(calls[0]["module"])
    seen: list[Seen] = []
    for name, part in root.named_modules():
        if part is not root:
            part.register_forward_hook(functools.partial(_seen, seen, name), with_kwargs=True)
    try:
        step.run()
    except Exception:
        return None
    for name, module, args, kwargs, random in sorted(seen, key=lambda each: _size(each[1])):
        module._forward_hooks.clear()
        if all(bool(torch.isfinite(x.detach()).all()) for x in leaves((args, kwargs)) if x.is_floating_point()):
            candidate = _alone(document, module, args, kwargs, random)
            if failure(candidate) is not None:
                return candidate, name
    return None


def _size(module: Module) -> tuple[int, int]:
    return sum(1 for _ in module.modules()), sum(parameter.numel() for parameter in module.parameters())


def _alone(document: dict[str, Any], module: Module, args: Any, kwargs: Any, random: Tensor) -> Bundle:
    """One layer, called with what it was given, and a backward pass from the sum of what it gives."""
    encoder = Encoder(document["sources"])
    for part in module.modules():
        part._forward_hooks.clear()
        for parameter in part._parameters.values():
            if parameter is not None:
                parameter.grad = None
    plain = [_detached(value) for value in args]
    call = {
        "kind": "call", "module": encoder.module(module), "layer": "", "args": encoder.value(tuple(plain)),
        "kwargs": encoder.value({key: _detached(value) for key, value in kwargs.items()}), "line": None, "grad": True,
        "random": encoder.state(random), "autocast": [], "results": ["output"],
    }  # fmt: skip
    total: dict[str, Any] = {
        "kind": "operation", "function": "torch.Tensor.sum", "args": {"tuple": [{"tensor": "output"}]},
        "kwargs": {"dict": []}, "line": None, "grad": True, "random": None, "autocast": [], "results": ["loss"],
    }  # fmt: skip
    back: dict[str, Any] = {"kind": "backward", "loss": "loss", "value": None, "line": None, "gradients": []}
    made = document | {
        "loss_limit": None,
        "events": [call, total, back], "modules": encoder.modules, "tensors": encoder.facts,
        "sources": encoder.sources,
    }  # fmt: skip
    return made, encoder.tensors


def _detached(value: Any) -> Any:
    return value.detach().requires_grad_(value.requires_grad) if isinstance(value, Tensor) else value


def _seen(seen: list[Seen], name: str, module: Module, args: Any, kwargs: Any, _output: Any) -> None:
    seen.append((name, module, args, kwargs, torch.get_rng_state()))
