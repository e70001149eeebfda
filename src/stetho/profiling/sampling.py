"""Which lines of the program the time passes in: its thread is looked at every few milliseconds."""

import linecache
import sys
import threading
from collections import Counter
from collections.abc import Callable
from types import FrameType

from stetho.capture.launch import is_of_launcher
from stetho.capture.source import user_frame
from stetho.profiling.records import LineCost

INTERVAL = 0.002
SWITCH_INTERVAL = 1e-4
"""Seconds. Python lets another thread in so soon; by default it is so late that lines that let one in by themselves,
as operations do, would be seen in the place of those that do not."""
SHOWN = 30
Place = tuple[str, int, str]

PHASE_OF = {
    "torch/utils/data/": "data",
    "torch/nn/modules/module.py": "forward",
    "torch/autograd/": "backward",
    "torch/optim/": "optimizer",
}
"""What it means that code of such a file is on the stack."""


class Sampler:
    """Counts the innermost line of the user's code in one thread; what `is_ours` at the moment belongs to no line.

    >>> sampler = Sampler(threading.get_ident())
    >>> sampler.start(); sampler.stop()
    """

    def __init__(self, thread: int, is_ours: Callable[[], bool] = lambda: False) -> None:
        self._subject = thread
        self._is_ours = is_ours
        self._counts: Counter[tuple[Place, str]] = Counter()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._switch_interval = 0.0

    def start(self) -> None:
        """Begin to look."""
        self._over.clear()
        self._switch_interval = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread = threading.Thread(target=self._look, name="stetho-lines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop looking."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            sys.setswitchinterval(self._switch_interval)
        self._thread = None

    def lines(self, step_seconds: float) -> list[LineCost]:
        """The lines, the dearest first; their shares of the samples are shares of a step."""
        every = sum(self._counts.values())
        return [
            LineCost(
                place=f"{file}:{line}",
                function=function,
                code=linecache.getline(file, line).strip(),
                phase=phase,
                seconds=count / every * step_seconds,
            )
            for ((file, line, function), phase), count in self._counts.most_common(SHOWN)
        ]

    def _look(self) -> None:
        while not self._over.wait(INTERVAL):
            if self._is_ours():
                continue
            frame = sys._current_frames().get(self._subject)
            user = user_frame(frame)
            while user is not None and user.f_code.co_filename.startswith("<"):  # made by a compiler, in no file
                user = user_frame(user.f_back)
            if user is not None and not is_of_launcher(user):
                place = user.f_code.co_filename, user.f_lineno, user.f_code.co_name
                self._counts[place, phase_of(frame)] += 1


def phase_of(frame: FrameType | None) -> str:
    """The phase that the innermost code of the framework's on the stack belongs to; empty if there is none."""
    while frame is not None:
        file = frame.f_code.co_filename.replace("\\", "/")
        for part, phase in PHASE_OF.items():
            if part in file:
                return phase
        frame = frame.f_back
    return ""
