"""Modes of the program (`TorchDispatchMode`, `TorchFunctionMode`) hear every operation; ours are none of theirs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import torch
from torch.utils._python_dispatch import _pop_mode, _push_mode

from stetho.capture.guard import Guard

KEYS = (torch._C.DispatchKey.Python, torch._C.DispatchKey.PythonTLSSnapshot)
"""Who is kept from hearing is kept by these: modes of ours as well as those of the program."""

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


@contextmanager
def among_ourselves() -> Iterator[None]:
    """Modes of ours that are entered now hear again, though we are called unheard; none of the program's does.

    The device that is the default is a mode as well, and code of the program that is run again needs it.
    """
    functions = [torch._C._pop_torch_function_stack() for _ in range(torch._C._len_torch_function_stack())][::-1]
    operations = [_pop_mode() for _ in range(torch._C._len_torch_dispatch_stack())][::-1]
    device = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    excluded = [torch._C._dispatch_tls_is_dispatch_key_excluded(key) for key in KEYS]
    for mode in functions:
        if mode is device:
            torch._C._push_on_torch_function_stack(mode)
    _exclude([False] * len(KEYS))
    try:
        with torch._C._EnableTorchFunction():
            yield
    finally:
        _exclude(excluded)
        for _ in range(torch._C._len_torch_function_stack()):
            torch._C._pop_torch_function_stack()
        for mode in functions:
            torch._C._push_on_torch_function_stack(mode)
        for mode in operations:
            _push_mode(mode)


def _exclude(states: list[bool]) -> None:
    for key, is_excluded in zip(KEYS, states, strict=True):
        torch._C._dispatch_tls_set_dispatch_key_excluded(key, is_excluded)
