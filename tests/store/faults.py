"""A disk that fails, and a process that dies, at a chosen system call of the writer."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

CHANGES = ("open", "write", "pwrite", "replace", "unlink", "ftruncate", "mkdir")
"""The calls through which a writer changes what is on disk."""


class Killed(BaseException):
    """The process ends here: no handler of the writer may run."""


@dataclass
class Faults:
    """Counts the system calls, and strikes at one of them."""

    at: int
    strike: Callable[[str, tuple[Any, ...]], None]
    calls: int = 0
    opened: list[int] = field(default_factory=list)

    def around(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            if self.calls == self.at:
                self.strike(name, arguments)
            self.calls += 1
            result = original(*arguments, **keywords)
            if name == "open":
                self.opened.append(result)
            return result

        return call


@contextmanager
def faults(at: int, strike: Callable[[str, tuple[Any, ...]], None]) -> Iterator[Faults]:
    """Let `strike` happen at call number `at`, and give back what the writer leaves open."""
    state = Faults(at, strike)
    with pytest.MonkeyPatch.context() as patch:
        closed: set[int] = set()
        close = os.close
        for name in CHANGES:
            patch.setattr(os, name, state.around(name, getattr(os, name)))
        patch.setattr(os, "close", lambda descriptor: (closed.add(descriptor), close(descriptor))[1])
        try:
            yield state
        finally:
            for descriptor in state.opened:
                if descriptor not in closed:
                    close(descriptor)


write, pwrite = os.write, os.pwrite


def write_half(name: str, arguments: tuple[Any, ...]) -> None:
    if name == "write":
        descriptor, data = arguments
        write(descriptor, data[: len(data) // 2])
    if name == "pwrite":
        descriptor, data, offset = arguments
        pwrite(descriptor, data[: len(data) // 2], offset)


def kill(_name: str, _arguments: tuple[Any, ...]) -> None:
    raise Killed


def kill_halfway(name: str, arguments: tuple[Any, ...]) -> None:
    """Die in the middle of a write."""
    write_half(name, arguments)
    raise Killed


def disk_full(name: str, arguments: tuple[Any, ...]) -> None:
    """Take half of what is written, then nothing more; removing and cutting still work."""
    if name in ("write", "pwrite", "mkdir"):
        write_half(name, arguments)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
