"""Whether the program behind a run without an ending is still there."""

import platform
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from stetho.store.format import TABLES, TAIL_FILE

_SILENCE = 120.0
"""Seconds without a new row after which a program on another machine counts as gone."""

_CLOCK_SLACK = 5.0


def is_alive(path: Path, info: Mapping[str, Any]) -> bool:
    """Ask the process table on the machine that wrote the run; elsewhere, see whether its tails still grow."""
    machine = info.get("machine")
    host = machine.get("host") if isinstance(machine, dict) else None
    pid = info.get("pid")
    if type(pid) is int and pid > 0 and host in (None, platform.node()):
        return _process_began_before(pid, info.get("started"))
    return time.time() - _last_change(path) < _SILENCE


def _process_began_before(pid: int, started: object) -> bool:
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        began = float(process.create_time())
    except (psutil.Error, OSError, OverflowError):
        return False
    with suppress(TypeError, ValueError):
        # A process that is younger than the run only has the number of the one that wrote it.
        return began <= datetime.fromisoformat(str(started)).timestamp() + _CLOCK_SLACK
    return True


def _last_change(path: Path) -> float:
    latest = 0.0
    for file in (path / "run.json", *(path / table / TAIL_FILE for table in TABLES)):
        with suppress(OSError):
            latest = max(latest, file.stat().st_mtime)
    return latest
