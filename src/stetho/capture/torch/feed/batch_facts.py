"""What a batch is like, in numbers: moments of inputs and targets, features one by one, the kind of its error."""

import torch
from torch import Tensor

from stetho.stats.kernel import fetch, measure
from stetho.stats.summary import Summary

MOST_FEATURES = 512
SQUARED = ("mse_loss", "hand_written_difference")
ABSOLUTE = ("l1_loss", "hand_written_distance")


def kind_of_error(call: str, predicted: Tensor, target: Tensor, result: object, losses: list[object]) -> str | None:
    """The call, if the loss that is trained on is just the mean of squared or absolute differences."""
    if call not in (*SQUARED, *ABSOLUTE) or predicted.shape != target.shape:
        return None
    value = result.item() if isinstance(result, Tensor) and result.numel() == 1 else losses[-1] if losses else None
    apart = predicted.detach() - target.detach()
    mean = float(apart.square().mean() if call in SQUARED else apart.abs().mean())
    return call if isinstance(value, float) and abs(value - mean) <= 1e-4 * abs(mean) else None


def is_among_samples(predicted: Tensor, target: Tensor) -> bool:
    """Whether a loss asks which other sample of the batch belongs to each: labels are places then, each of them once.

    >>> import torch
    >>> is_among_samples(torch.zeros(4, 4), torch.arange(4)), is_among_samples(torch.zeros(4, 4), torch.zeros(4))
    (True, False)
    """
    count = len(target) if target.dim() == 1 else 0
    if count < 2 or target.is_floating_point() or predicted.shape != (count, count):
        return False
    return bool((target.sort().values == torch.arange(count, device=target.device)).all())


def moments(tensor: Tensor, prefix: str) -> dict[str, object]:
    """Mean, deviation, range and counts, as columns with this prefix."""
    summary: Summary = fetch([measure(tensor)])[0]
    _, _, nans, _, zeros, low, high, mean, std, *_ = summary.row(1)
    return {
        f"{prefix}mean": mean,
        f"{prefix}std": std,
        f"{prefix}min": low,
        f"{prefix}max": high,
        f"{prefix}nan": int(nans),
        f"{prefix}zeros": int(zeros),
    }


def features(inputs: Tensor) -> dict[str, object]:
    """Mean and deviation of each feature or channel."""
    if not inputs.is_floating_point() or inputs.dim() < 2:
        return {}
    axis = 1 if inputs.dim() in (2, 4, 5) else inputs.dim() - 1
    if inputs.shape[axis] > MOST_FEATURES:
        return {}
    columns = inputs.detach().float().movedim(axis, 0).flatten(1)
    mean = columns.mean(1)
    spread = (columns - mean[:, None]).square().mean(1).sqrt()
    return {"feature_mean": mean.tolist(), "feature_std": spread.tolist()}
