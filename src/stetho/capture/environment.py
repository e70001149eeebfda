"""Facts about the machine, the versions and the command, for run.json. Every one of them may be missing."""

import os
import platform
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from stetho.config import Options

PACKAGES = (
    "stetho",
    "torch",
    "numpy",
    "pyarrow",
    "transformers",
    "lightning",
    "accelerate",
    "scikit-learn",
    "safetensors",
)

DECISIVE = ("system", "cpu", "threads", "devices")


def rank() -> int | None:
    """Rank of this process in a distributed job; None outside of one.

    >>> rank() is None
    True
    """
    world, mine = os.environ.get("WORLD_SIZE", ""), os.environ.get("RANK", "")
    if world.isdigit() and mine.isdigit() and int(world) > 1:
        return int(mine)
    return None


def shared_start() -> float | None:
    """A time that all ranks on a machine agree on: the start of the launcher that is their parent."""
    if rank() is None:
        return None
    try:
        import psutil

        return float(psutil.Process(os.getppid()).create_time())
    except (ImportError, OSError, ValueError):
        return None


def program_name(command: Sequence[str]) -> str:
    """A short name for the run, from what was launched.

    >>> program_name(["-m", "package.train", "--lr", "1"])
    'package.train'
    >>> program_name(["scripts/train.py", "--lr", "1"])
    'train'
    """
    if not command:
        return "python"
    if command[0] == "-m" and len(command) > 1:
        return command[1]
    return Path(command[0]).stem or "python"


def run_info(command: Sequence[str], options: Options) -> dict[str, object]:
    """Everything that run.json says at the start of a run."""
    return {
        "name": options.name or program_name(command),
        "command": list(command),
        "cwd": os.getcwd(),
        **surroundings(),
        "git": _git(),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "pid": os.getpid(),
        "rank": rank() or 0,
        "world_size": int(os.environ.get("WORLD_SIZE", "1") or 1) if rank() is not None else 1,
        "options": asdict(options),
    }


def surroundings() -> dict[str, object]:
    """What the results of a program may depend on: the versions and the machine.

    >>> sorted(surroundings())
    ['machine', 'python', 'versions']
    """
    return {"python": platform.python_version(), "versions": _versions(), "machine": _machine()}


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """In words, what is not as it was; only what numbers may depend on.

    >>> changed({"python": "3.11.7", "versions": {"torch": "2.5"}}, {"python": "3.11.7", "versions": {"torch": "2.6"}})
    ['torch 2.5, here 2.6']
    """
    parts = [("python", before.get("python"), now.get("python"))]
    parts += [(each, *(side.get("versions", {}).get(each) for side in (before, now))) for each in ("torch", "numpy")]
    parts += [(each, *(side.get("machine", {}).get(each) for side in (before, now))) for each in DECISIVE]
    return [f"{name} {old}, here {new}" for name, old, new in parts if old is not None and old != new]


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _git() -> dict[str, object] | None:
    # Looked for here: where it is left to `subprocess`, that switches warnings off and on again, and those that the
    # program has shown once would be shown once more.
    git = shutil.which("git")
    if git is None:
        return None

    def ask(*arguments: str) -> str:
        answer = subprocess.run(
            [git, *arguments], capture_output=True, text=True, timeout=2, check=True, stdin=subprocess.DEVNULL
        )
        return answer.stdout.strip()

    try:
        return {"commit": ask("rev-parse", "HEAD"), "dirty": bool(ask("status", "--porcelain", "-uno"))}
    except (OSError, subprocess.SubprocessError):
        return None


def _machine() -> dict[str, object]:
    machine: dict[str, object] = {
        "host": socket.gethostname(),
        # Not `platform.platform()`: it asks a program for the processor, and so switches warnings off and on, as above.
        "system": "-".join((platform.system(), platform.release(), *platform.libc_ver())),
        "cpu": platform.machine(),
        "cores": os.cpu_count(),
    }
    try:
        import psutil

        machine["memory"] = psutil.virtual_memory().total
    except (ImportError, OSError):
        pass
    torch = sys.modules.get("torch")
    if torch is not None:
        machine["threads"] = torch.get_num_threads()
        # Asking a device that the program has not touched would initialise it.
        if torch.cuda.is_initialized():
            machine["devices"] = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    return machine
