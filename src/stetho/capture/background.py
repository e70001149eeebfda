"""The background thread: once a second it puts finished rows on disk and reads the memory; it touches no device."""

import threading
from collections.abc import Callable
from time import monotonic

FLUSH_SECONDS = 1.0


class Background:
    """Calls `work` about once a second, until stopped. It steps aside around a fork: a child must inherit no lock.

    >>> background = Background(lambda: None)
    >>> background.start(); background.stop()
    """

    def __init__(self, work: Callable[[], None], seconds: float = FLUSH_SECONDS) -> None:
        self._work = work
        self._seconds = seconds
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, or go on after a pause."""
        self._wake.clear()
        self._thread = threading.Thread(target=self._loop, name="stetho-background", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and wait for it."""
        thread, self._thread = self._thread, None
        self._wake.set()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    @property
    def is_running(self) -> bool:
        """Whether the thread is there."""
        return self._thread is not None

    def is_wanted(self) -> bool:
        """Whether nobody waits for the thread to end."""
        return not self._wake.is_set()

    def meanwhile(self, flush: Callable[[], None]) -> Callable[[], bool]:
        """What long work in this thread asks, time and again, to know whether to go on; it flushes when that is due.

        >>> Background(lambda: None).meanwhile(lambda: None)()
        True
        """
        flushed = monotonic()

        def ask() -> bool:
            nonlocal flushed
            if monotonic() - flushed >= self._seconds:
                flush()
                flushed = monotonic()
            return self.is_wanted()

        return ask

    def _loop(self) -> None:
        while not self._wake.wait(self._seconds):
            self._work()
