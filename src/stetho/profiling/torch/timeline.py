"""The framework's own profiler as a time line: started, stopped, and read as plain events."""

import os
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from stetho.profiling.events import Event

SILENCE = "KINETO_LOG_LEVEL"


class Timeline:
    """One recording of the profiler."""

    def __init__(self) -> None:
        self._running: Any = None

    @property
    def is_taken(self) -> bool:
        """Whether somebody else profiles already; there can be only one."""
        return self._running is None and bool(torch._C._autograd._profiler_enabled())

    def start(self) -> None:
        """Begin to record."""
        activities = [ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(ProfilerActivity.CUDA)
        with _silence():
            self._running = profile(activities=activities)
            self._running.start()

    def stop(self) -> list[Event]:
        """End, and read what was recorded."""
        recording, self._running = self._running, None
        if recording is None:
            return []
        with _silence():
            recording.stop()
        results = recording.profiler.kineto_results
        return [
            Event(
                name=each.name(),
                start=each.start_ns(),
                end=each.start_ns() + each.duration_ns(),
                thread=each.start_thread_id(),
                sequence=each.sequence_nr(),
                forward_thread=each.fwd_thread_id(),
                is_accelerator=each.device_type() != torch._C._autograd.DeviceType.CPU,
            )
            for each in (results.events() if results is not None else ())
        ]


class _silence:  # reads as a statement
    """The profiler's library writes lines of its own to stderr unless it is told not to."""

    def __enter__(self) -> None:
        self._before = os.environ.get(SILENCE)
        os.environ[SILENCE] = "99"

    def __exit__(self, *_: object) -> None:
        if self._before is None:
            del os.environ[SILENCE]
        else:
            os.environ[SILENCE] = self._before
