"""What an optimizer is given: its parameters, its learning rates, its other settings."""

from numbers import Real

from torch import Tensor
from torch.optim import Optimizer


def parameters_of(optimizer: Optimizer) -> list[Tensor]:
    """Every parameter that an optimizer holds."""
    groups = optimizer.param_groups
    return list(groups[0]["params"]) if len(groups) == 1 else [each for group in groups for each in group["params"]]


def learning_rates(optimizer: Optimizer) -> list[float]:
    """The learning rate of each group; a rate that lies on an accelerator is left out rather than waited for."""
    rates = []
    for group in optimizer.param_groups:
        rate = group.get("lr")
        if rate is not None and not (isinstance(rate, Tensor) and not rate.is_cpu):
            rates.append(float(rate))
    return rates


def plain(value: object) -> object:
    """A hyperparameter as JSON can hold it."""
    if isinstance(value, Tensor):
        return value.item() if value.numel() == 1 and value.is_cpu else str(value.dtype)
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    return float(value) if isinstance(value, Real) else str(value)
