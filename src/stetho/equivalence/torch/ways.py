"""A training as it is, and with its model compiled, checkpointed or in another type of number."""

from collections.abc import Callable
from typing import Any

import torch

from stetho.capture.torch.models.variant import Variant
from stetho.equivalence.result import Difference, Equivalence, Tolerance, first_differences
from stetho.equivalence.torch.tape import Tape, one_pass
from stetho.equivalence.torch.training import build
from stetho.inspect.target import load_object

TOLERANCES: dict[str, float | Tolerance] = {
    "compiled": 1e-3,
    "checkpointing": 1e-5,
    "bf16": Tolerance(0.1, 0.4, 1e-2),
    "fp16": Tolerance(2e-2, 0.1, 1e-3),
    "float64": 1e-3,
}
"""In few digits a ReLU may open for a sample that it was closed to, which the gradient of a small batch shows."""
FOLLOWING = {"bf16": ("state", "update"), "fp16": ("state", "update"), "compiled": ("state", "update")}
"""Stages that follow from the gradients."""


def in_way(test: str, setup: Callable[[], Any], *, way: str, steps: int = 3) -> Equivalence:
    """Compare the steps of a training with those of the same training in another way, from the same seeds."""
    tapes = []
    for chosen in (None, way):
        training = build(setup)
        Variant(chosen).apply(training.model)
        # Building a model draws random numbers, and so may changing it.
        torch.manual_seed(0)
        tape = Tape(training)
        tape.record(one_pass, training.batches(), steps)
        tapes.append(tape)
    plain, other = tapes
    name = way.partition(":")[0]
    # Layers inside of what is compiled are not seen. What an optimizer makes of the rounding of a small gradient may be
    # as large as what it makes of a large one; gradients are compared themselves.
    seen = [{key for key in step if not key.startswith(FOLLOWING.get(name, ()))} for step in other.steps]
    sides = [
        [{key: a for key, a in step.items() if key in keys} for step, keys in zip(tape.steps, seen, strict=True)]
        for tape in tapes
    ]
    found = first_differences(*sides, tolerance=TOLERANCES[name], kinds=plain.kinds)
    return Equivalence(test, ("as it is", way), len(plain.steps), found, _reasons(name, found))


def place_in_way(test: str, place: str, way: str, steps: int) -> Equivalence:
    """The same for a set-up function that is named by its place."""
    return in_way(test, load_object(place, is_called=False), way=way, steps=steps)


def _reasons(way: str, found: list[Difference]) -> list[str]:
    if not found:
        return []
    first = found[0]
    if way == "checkpointing" and first.stage == "grad":
        return [
            "outputs are equal, gradients are not: what is computed again in the backward pass is not the same"
            " (a layer with state, a random number that torch does not know of)"
        ]
    if way == "checkpointing" and first.stage == "buffer":
        return [f"`{first.name}` is updated twice: once in the forward pass, once when it is computed again"]
    if first.error is not None and way in ("bf16", "fp16") and first.stage == "act":
        return [f"`{first.name}` ({first.kind}) loses more than {way} explains: cancellation, or a sum of many values"]
    if way in ("bf16", "fp16") and first.stage == "grad":
        return [f"outputs agree as far as {way} goes, gradients do not: they are too small for the type, or cancel"]
    return []
