"""Losses written out of tensor operations: which targets are in them, read off the autograd graph.

A difference is saved by the power or the absolute value taken of it, a choice of classes by the index that makes it, a
mask by the product it goes into, yes and no by the logarithms they count with. Together with the model's output that
gives the targets. Only plain losses are read: one way from the loss to the output; of a loss of several terms, a
difference that is one of them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from stetho.capture.torch.losses.differences import LONGEST, RESHAPING, Found, difference, factor_of, name_of, past
from stetho.capture.torch.losses.terms import find_term
from stetho.capture.torch.losses.two_sided import two_sided
from stetho.capture.torch.patches import Patches

REDUCING = (*RESHAPING, "Mean", "Sum", "Neg", "Div")
LOGARITHMIC = ("LogSoftmax", "Log", "Softmax")
POSITIVE = (*RESHAPING, "Clamp", "ClampMin", "Add")


class ByHand:
    """Reads targets out of graphs, unless the program saves tensors in its own way, which reading would disturb."""

    def __init__(self) -> None:
        self._hooked = False

    def install(self, patches: Patches) -> None:
        """Notice when the program takes over the saving of tensors."""
        patches.around(saved_tensors_hooks, "__enter__", before=self._on_hooks)

    def _on_hooks(self, _hooks: object) -> None:
        self._hooked = True

    def may_read(self) -> bool:
        """Whether tensors that graphs keep can be read without running the program's own code."""
        return not self._hooked

    def find(self, loss: Tensor, outputs: Mapping[Any, Tensor]) -> Found | None:
        """The targets in this loss; None when it is not one of the plain kinds."""
        if self._hooked or loss.grad_fn is None or loss.numel() != 1:
            return None
        with torch.no_grad():
            try:
                return _read(loss.grad_fn, outputs) or find_term(loss.grad_fn, outputs)
            except RuntimeError:
                # What was changed in place since it was saved cannot be read, and does not matter for us.
                return None


def _read(start: Any, outputs: Mapping[Any, Tensor]) -> Found | None:
    node, way = start, []
    weights: Tensor | None = None
    for _ in range(LONGEST):
        if node is None or node in outputs:
            return None
        name, operands = name_of(node), [before for before, _ in node.next_functions if before is not None]
        factor = factor_of(node) if name == "Mul" and len(operands) == 1 and weights is None else None
        if (name not in REDUCING and (factor is None or factor.dim() != 1)) or len(operands) != 1:
            break
        weights = factor if factor is not None else weights
        way.append(name)
        node = operands[0]
    found = _target(node, name, operands, outputs)
    if found is not None and weights is not None and not _is_class_weight(found, weights):
        return None
    is_mean = [step for step in way if step not in (*RESHAPING, "Neg")] == ["Mean"]
    return replace(found, reduction="mean") if found is not None and is_mean else found


def _target(node: Any, name: str, operands: list[Any], outputs: Mapping[Any, Tensor]) -> Found | None:
    if not operands:
        return None
    if name in ("Pow", "Abs") or (name == "Mul" and len(operands) == 2 and operands[0] is operands[1]):
        return difference(node, operands[0], outputs)
    if name in ("Index", "Gather"):
        return _choice(node, name, _under_logarithm(operands[0], outputs))
    if name == "Sub" and len(operands) == 2 and name_of(operands[0]) == "Logsumexp":
        return _apart_from_sum(operands[0], operands[1], outputs)
    if name in ("Add", "Sub") and len(operands) == 2:
        return two_sided(node)
    return _marked(node, operands[0], outputs) if name == "Mul" and len(operands) == 1 else None


def _is_class_weight(found: Found, weights: Tensor) -> bool:
    """Whether what samples are weighed with follows from their labels; what is learnt from rewards does not."""
    is_one_each = found.call == "hand_written_choice" and weights.shape == found.target.shape
    return is_one_each and bool((weights >= 0).all()) and _is_same_in_each(found.target, weights)


def _is_same_in_each(labels: Tensor, weights: Tensor) -> bool:
    return all(
        bool((of := weights[labels == label]).max() - of.min() <= 1e-6 * of.max()) for label in set(labels.tolist())
    )


def _apart_from_sum(total: Any, chosen: Any, outputs: Mapping[Any, Tensor]) -> Found | None:
    """The logarithm of the sum of all classes minus the one that is right: cross entropy in two steps."""
    output = outputs.get(past(total.next_functions[0][0], RESHAPING, outputs))
    node = past(chosen, RESHAPING, outputs)
    if output is None or node is None or node in outputs or name_of(node) not in ("Index", "Gather"):
        return None
    is_same = outputs.get(past(node.next_functions[0][0], RESHAPING, outputs)) is output
    return _choice(node, name_of(node), output) if is_same else None


def _choice(node: Any, name: str, output: Tensor | None) -> Found | None:
    """The logarithm (or the probability) of the class that an index chooses for each sample."""
    if output is None or output.dim() != 2:
        return None
    if name == "Gather":
        labels = node._saved_index
        labels = labels.squeeze(1) if labels.dim() == 2 and labels.shape[1] == 1 else None
    else:
        indices = [each for each in node._saved_indices if each is not None]
        labels = indices[-1] if len(node._saved_indices) == 2 and indices and indices[-1].dtype == torch.int64 else None
    if labels is None or labels.shape != output.shape[:1]:
        return None
    return Found("hand_written_choice", output, labels)


def _marked(node: Any, before: Any, outputs: Mapping[Any, Tensor]) -> Found | None:
    """Logarithms times a mask with a one for the right class."""
    output = _under_logarithm(before, outputs)
    mask = factor_of(node)
    if output is None or mask is None or output.dim() != 2 or mask.shape != output.shape or output.shape[1] < 2:
        return None
    if not bool(((mask == 0) | (mask == 1)).all()) or not bool((mask.sum(1) == 1).all()):
        return None
    return Found("hand_written_choice", output, mask.argmax(1))


def _under_logarithm(node: Any, outputs: Mapping[Any, Tensor]) -> Tensor | None:
    node = past(node, RESHAPING, outputs)
    if node is None:
        return None
    if node in outputs:
        # A model that ends in log_softmax gives logarithms itself.
        return outputs[node] if name_of(node) in LOGARITHMIC else None
    if name_of(node) not in LOGARITHMIC:
        return None
    inner = past(next((before for before, _ in node.next_functions if before is not None), None), POSITIVE, outputs)
    if inner is not None and inner not in outputs and name_of(inner) == "Softmax":
        inner = past(
            next((before for before, _ in inner.next_functions if before is not None), None), RESHAPING, outputs
        )
    return outputs.get(inner)
