"""Modes of the program (`TorchDispatchMode`, `TorchFunctionMode`) hear every operation; ours are none of theirs."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import torch

from stetho.capture.guard import Guard

P = ParamSpec("P")
R = TypeVar("R")


def keep_unheard(guard: Guard) -> None:
    """Let the functions behind a guard run such that no mode hears them; while there is none, as they are."""
    guard.listeners = (torch._C._len_torch_dispatch_stack, torch._C._is_torch_function_mode_enabled)
    guard.apart = unheard


def unheard(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function such that no mode hears its operations.

    >>> from torch.utils.flop_counter import FlopCounterMode
    >>> with FlopCounterMode(display=False) as counter:
    ...     unheard(torch.mm, torch.ones(2, 2), torch.ones(2, 2)).shape
    torch.Size([2, 2])
    >>> counter.get_total_flops()
    0
    """
    with torch._C._DisableTorchDispatch(), torch._C.DisableTorchFunction():
        return function(*args, **kwargs)
