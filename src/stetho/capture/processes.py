"""Other processes, as /proc knows them: who descends from whom, who handles a signal, who was killed for memory."""

from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
GROUPS = Path("/sys/fs/cgroup")
ENDLESS = 1 << 60
"""What stands there for no limit is about as large as a number can be."""


def descendants(process: int) -> list[int]:
    """All processes below one; none where the system does not tell."""
    children: dict[int, list[int]] = {}
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # The name of the command stands in brackets and may hold anything.
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(folder.name))
    found, below = [], list(children.get(process, []))
    while below:
        child = below.pop(0)
        found.append(child)
        below += children.get(child, [])
    return found


def has_children() -> bool:
    """Whether this process has any; also true where the system does not tell. No other process is looked at."""
    try:
        told = [file.read_bytes() for file in PROC.glob("self/task/*/children")]
    except OSError:  # a thread that ended while we looked
        return True
    return not told or any(told)


def handles(process: int, signal: int) -> bool:
    """Whether a process has a handler for a signal: without one, the signal would end it.

    >>> import os, signal
    >>> handles(os.getpid(), signal.SIGKILL)
    False
    """
    with suppress(OSError, ValueError):
        for line in (PROC / str(process) / "status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (signal - 1) & 1)
    return False


def command_of(process: int) -> str:
    """The words that a process was started with; nothing where the system does not tell."""
    with suppress(OSError):
        words = (PROC / str(process) / "cmdline").read_bytes().split(b"\0")
        return " ".join(word.decode(errors="replace") for word in words if word)
    return ""


def killed_for_memory() -> int:
    """How many processes this system has killed for want of memory since it started; 0 where it does not tell."""
    with suppress(OSError, ValueError):
        for line in (PROC / "vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


def memory_limit() -> int | None:
    """The bytes that this process and those grouped with it, as in a container, may have; None without a limit."""
    limits: list[int] = []
    with suppress(OSError):
        for line in (PROC / "self" / "cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers in ("", "memory"):
                limits += _limits(GROUPS / controllers, path.lstrip("/"), "limit_in_bytes" if controllers else "max")
    return min(limits, default=None)


def _limits(root: Path, path: str, name: str) -> list[int]:
    """Those of a group and of all that it is in; a container sees its own group as the root."""
    found = []
    for folder in ((root / path), *(root / path).parents):
        with suppress(OSError, ValueError):
            found.append(int((folder / f"memory.{name}").read_text()))
        if folder == root:
            break
    return [limit for limit in found if limit < ENDLESS]
