"""Parameters that are no numbers when a step begins: what the last update made of them."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from stetho.capture.torch.autopsy.nonfinite import bad_places

SQUARES = ("exp_avg_sq", "square_avg", "sum", "max_exp_avg_sq")
FAR_BELOW = 1e-12
"""Of the largest number: averages of squares are taken the root of, and kept from zero by about 1e-8."""
MEANS = ("exp_avg", "momentum_buffer", "grad_avg")


def update_document(parameter: Tensor, optimizer: Optimizer | None) -> dict[str, Any]:
    """What can be read off the state that the optimizer left behind, at the first bad element."""
    operation = type(optimizer).__name__ if optimizer is not None else "unknown"
    places = bad_places(parameter)
    if places is None:
        return {"operation": operation}
    index = places.first
    found: dict[str, Any] = {
        "operation": operation,
        "result": f"{float(parameter.detach()[index]):.4g}",
        "index": list(index),
        "shape": list(parameter.shape),
        "dtype": str(parameter.dtype).removeprefix("torch."),
        "bad": places.count,
    }
    if optimizer is None:
        return found
    group = next((g for g in optimizer.param_groups if any(p is parameter for p in g["params"])), {})
    state = {key: _at(value, index) for key, value in optimizer.state.get(parameter, {}).items()}
    values = {key: value for key, value in state.items() if value is not None}
    found["inputs"] = [{"name": key, "text": f"{value:.4g}", "value": _json(value)} for key, value in values.items()]
    return found | _explained(operation, group, values, parameter.dtype)


def stays_finite(optimizer: Optimizer, norm: float) -> bool:
    """Whether an update by gradients of this norm cannot have been too large, however small what it is divided by."""
    rates = [_number(group.get("lr")) for group in optimizer.param_groups]
    kinds = {parameter.dtype for group in optimizer.param_groups for parameter in group["params"]}
    limit = FAR_BELOW * min((torch.finfo(kind).max for kind in kinds if kind.is_floating_point), default=0.0)
    return all(rate is not None and abs(rate) * norm < limit for rate in rates)


def _explained(kind: str, group: Mapping[str, Any], values: Mapping[str, float], dtype: torch.dtype) -> dict[str, Any]:
    rate, eps = _number(group.get("lr")), _number(group.get("eps"))
    square = next((values[key] for key in SQUARES if key in values), None)
    mean = next((values[key] for key in MEANS if key in values), None)
    if rate is not None and not isfinite(rate):
        return _words(f"lr = {rate}", "the learning rate is no finite number", "look at what sets the learning rate")
    if square is not None and square < 0:
        why = f"{kind} takes the square root of a negative average of squares"
        return _words(f"sqrt({square:.4g})", why, "betas belong between 0 and 1")
    small = eps is not None and torch.tensor(eps, dtype=dtype).item() == 0
    if square == 0 and small:
        return _divided_by_nothing(kind, eps or 0.0, 0.0 if mean is None else mean, dtype)
    if (mean is not None and not isfinite(mean)) or (square is not None and square != square):
        why = "the state of the optimizer is no number either: a gradient of an earlier step was not finite"
        return _words(f"{kind} update with a bad gradient", why, "clip the gradient, or leave such steps out")
    why = "the update is larger than the parameter's type can hold"
    return _words(f"{kind} update", why, "lower the learning rate and clip the gradient") | {"growth": True}


def _divided_by_nothing(kind: str, eps: float, mean: float, dtype: torch.dtype) -> dict[str, Any]:
    why, name = f"{kind} divides by the root of the average square plus eps, which is 0 here", str(dtype).split(".")[-1]
    if not eps:
        return _words(f"{mean:.4g} / (sqrt(0) + 0)", why, "set eps to 1e-8 or more")
    # The squares of gradients below the root of that number are 0 as well.
    least = torch.finfo(dtype).smallest_normal
    help_ = f"keep the parameters in float32, and use torch.autocast; in {name}, eps must be {least:.0e} or more"
    return _words(f"{mean:.4g} / (sqrt(0) + 0)", f"{why} (eps {eps:g} is 0 in {name})", help_)


def _words(expression: str, why: str, prevention: str) -> dict[str, Any]:
    return {"expression": expression, "why": why, "prevention": prevention, "growth": False}


def _at(value: object, index: tuple[int, ...]) -> float | None:
    if not isinstance(value, Tensor) or value.dim() != len(index) or value.dim() == 0:
        return None
    return float(value.detach()[index])


def _number(value: object) -> float | None:
    if isinstance(value, Tensor):
        return float(value) if value.numel() == 1 else None
    return float(value) if isinstance(value, (int, float)) else None


def _json(value: float) -> float | str:
    return value if isfinite(value) else str(value)
