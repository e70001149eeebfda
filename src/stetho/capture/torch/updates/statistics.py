"""Running statistics of batch norm in a copy of a trained model: whether they ever got those of the training."""

from collections.abc import Iterator

from torch.nn import Module
from torch.nn.modules.batchnorm import _BatchNorm


def statistics_of(copy: Module, trained: Module | None) -> dict[str, object]:
    """How many norms of a copy answer by running statistics, and of how many these are still 0 and 1.

    Only where those of the trained model itself have moved; nothing is said of models without such norms.

    >>> from torch.nn import BatchNorm1d
    >>> import torch
    >>> model, copy = BatchNorm1d(3), BatchNorm1d(3).eval()
    >>> statistics_of(copy, model)
    {}
    >>> _ = model(torch.randn(8, 3))
    >>> statistics_of(copy, model)
    {'norms': 1, 'norms_as_made': 1}
    """
    if trained is None or not all(not _is_as_made(norm) for norm in _tracking(trained)):
        return {}
    norms = [norm for norm in _tracking(copy) if not norm.training]
    return {"norms": len(norms), "norms_as_made": sum(map(_is_as_made, norms))} if norms else {}


def _tracking(module: Module) -> Iterator[_BatchNorm]:
    for each in module.modules():
        if isinstance(each, _BatchNorm) and each.running_mean is not None and each.running_var is not None:
            yield each


def _is_as_made(norm: _BatchNorm) -> bool:
    mean, variance = norm.running_mean, norm.running_var
    return mean is not None and variance is not None and not bool(mean.any()) and bool((variance == 1).all())
