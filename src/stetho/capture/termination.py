"""SIGTERM: the end of the program is told before the process dies of the signal, as it would have died without us."""

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

from stetho.records import Ending


class Termination:
    """Waits for SIGTERM while the program itself leaves the signal alone."""

    def __init__(self, tell: Callable[[Ending], None]) -> None:
        self.tell = tell

    def watch(self) -> None:
        """Take the signal, unless somebody has it, or the process must be able to die at any moment."""
        if threading.current_thread() is not threading.main_thread() or is_one_of_many():
            return
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self)
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=self.forget)

    def forget(self) -> None:
        """Give the signal back, unless the program has taken it meanwhile."""
        if signal.getsignal(signal.SIGTERM) is self:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        try:
            self.tell(Ending("terminated", 128 + number))
        finally:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)


def is_one_of_many() -> bool:
    """Whether this is a rank of a distributed job.

    A rank waits for the others inside of native code, where no python handler runs: it would not die of the signal
    until they come, and they may be dead. Its run stays readable without a word at the end.
    """
    return os.environ.get("WORLD_SIZE", "1") != "1"
