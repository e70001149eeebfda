"""The kernel in use, chosen here and nowhere else: native where it was built, plain torch everywhere.

`STETHO_KERNEL=torch` in the environment asks for plain torch.
"""

import os
from types import ModuleType
from typing import TYPE_CHECKING

import torch

from stetho.stats.summary import EMPTY
from stetho.stats.torch_kernel import Pending, columns_of, fetch

__all__ = [
    "NAME",
    "REASON",
    "LayerCalls",
    "Pending",
    "Sightings",
    "UpdateRows",
    "columns_of",
    "fetch",
    "gradient_power",
    "hold",
    "log2_histogram",
    "measure",
    "measure_all",
    "sum_of_squares",
]


def _native() -> tuple[ModuleType | None, str]:
    """The native kernel, if it is to be used and works, and why or why not."""
    if os.environ.get("STETHO_KERNEL") == "torch":
        return None, "asked for by STETHO_KERNEL=torch"
    try:
        from stetho.stats import _native as extension
        from stetho.stats import native_kernel
    except Exception as error:  # no compiler, another Python, a torch without DLPack: plain torch always works
        return None, f"the native kernel was not built here ({error})"
    if native_kernel.measure(torch.tensor([1.0, 2.0, 6.0])) != EMPTY._replace(
        elements=3, low=1.0, high=6.0, mean=3.0, squares=14.0
    ):
        return None, "the native kernel cannot read this torch's tensors"
    return native_kernel, f"{extension.active_instructions()}, tensors by {native_kernel.WAY}"


_chosen, REASON = _native()
NAME = "torch" if _chosen is None else "native"

if TYPE_CHECKING:
    from stetho.stats._native import LayerCalls as NativeLayerCalls

LayerCalls: "type[NativeLayerCalls] | None" = None if _chosen is None else _chosen.LayerCalls
"""Stands in for `Module.__call__`; there is none without the native kernel, and hooks do its work."""

if TYPE_CHECKING or _chosen is None:
    from stetho.stats.histogram import log2_histogram
    from stetho.stats.sightings import Sightings
    from stetho.stats.torch_kernel import hold, measure, measure_all
    from stetho.stats.update_rows import UpdateRows, gradient_power, sum_of_squares
else:
    from stetho.stats.native_kernel import (
        Sightings,
        UpdateRows,
        gradient_power,
        hold,
        log2_histogram,
        measure,
        measure_all,
        sum_of_squares,
    )
