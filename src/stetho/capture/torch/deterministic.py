"""Randomness taken out of a run, and a list of what is left."""

import os
import random
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import Module
from torch.nn.modules.dropout import _DropoutNd

from stetho.capture.torch.feed.loaders import Loaders
from stetho.capture.torch.models.models import Models

SEED = 0


def make_deterministic() -> Callable[[], None]:
    """Seed every generator, ask for deterministic algorithms; returns what puts the settings (not the seeds) back."""
    import numpy as np

    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    benchmark = torch.backends.cudnn.benchmark
    random.seed(SEED)
    np.random.seed(SEED)
    torch.manual_seed(SEED)
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False

    def undo() -> None:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])
        torch.backends.cudnn.benchmark = benchmark

    return undo


class Randomness:
    """What is left to chance in the models and loaders of a program."""

    def __init__(self, models: Models, loaders: Loaders) -> None:
        self._models = models
        self._loaders = loaders
        self._dropouts = 0

    def left(self) -> list[str]:
        """The list, as of now."""
        tops = [top for model in self._models.all if (top := model.ref()) is not None]
        # At the end the models of a function are gone; what was random in them was.
        self._dropouts = max(self._dropouts, count_dropouts(tops))
        return randomness_left(self._dropouts, self._loaders.facts())


def count_dropouts(models: list[Module]) -> int:
    """How many layers of the models drop something.

    >>> count_dropouts([torch.nn.Dropout(0.5), torch.nn.Dropout(0.0)])
    1
    """
    return sum(isinstance(layer, _DropoutNd) and layer.p > 0 for model in models for layer in model.modules())


def randomness_left(dropouts: int, loaders: list[dict[str, Any]]) -> list[str]:
    """What still differs, or can differ, between two runs that both were made deterministic.

    >>> randomness_left(1, [])[0]
    'dropout in 1 layer: seeded; drawn anew for each batch'
    """
    left = []
    if dropouts:
        left.append(f"dropout in {dropouts} layer{'s' if dropouts > 1 else ''}: seeded; drawn anew for each batch")
    for loader in loaders:
        if loader.get("shuffled"):
            left.append(f"shuffling of {loader['dataset']} at {loader['line']}: seeded; another order for each epoch")
        if loader.get("workers"):
            left.append(
                f"{loader['workers']} workers of {loader['dataset']}: seeded by torch; other generators in them are not"
            )
    if os.environ.get("PYTHONHASHSEED", "random") == "random":
        left.append("order of sets of strings: not seeded; set PYTHONHASHSEED=0 before the program starts")
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        left.append("operations without a deterministic implementation: torch warns at each of them")
    return left
