"""Work that may end the process is done in another one first, so that what was measured is not lost with it."""

import faulthandler
import os
import signal
import sys
import warnings
from collections.abc import Callable
from time import monotonic, sleep

import torch

PATIENCE = 10.0
BETWEEN_LOOKS = 0.005


def fatal_signal(work: Callable[[], object], *, patience: float = PATIENCE) -> str | None:
    """The name of the signal that ends a process which does this work; None if it survives, or if nobody can tell.

    >>> fatal_signal(lambda: None) is None
    True
    """
    if sys.platform != "linux":
        return None
    with warnings.catch_warnings():
        # The child does what a worker of a DataLoader does: it computes on one thread, and ends.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _do_and_end(work)
    until = monotonic() + patience
    while monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else None
        sleep(BETWEEN_LOOKS)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def products_of_bfloat16() -> None:
    """What autocast makes of linear layers, attention and convolutions, of a size for which there are kernels."""
    matrix = torch.ones(64, 64, dtype=torch.bfloat16)
    torch.nn.functional.linear(matrix, matrix, matrix[0])
    torch.bmm(matrix.view(4, 16, 64), matrix.view(4, 64, 16))
    torch.nn.functional.conv2d(matrix.view(1, 16, 16, 16), torch.ones(8, 16, 3, 3, dtype=torch.bfloat16))


def _do_and_end(work: Callable[[], object]) -> None:
    try:
        faulthandler.disable()
        torch.set_num_threads(1)
        with torch.no_grad():
            work()
    finally:
        os._exit(0)
