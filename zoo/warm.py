"""Programs run in forks of a process that has imported the framework already, which saves seconds on each."""

import os
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Sequence
from importlib import import_module
from multiprocessing import current_process
from pathlib import Path

TOO_LONG = -1

LOADED = (
    "sklearn.datasets",
    "torch._dynamo",  # the first optimizer step imports it
    "torch.utils.data",
    "stetho.capture.torch.capture",
    "stetho.checks",
    "stetho.engine",
    "stetho.store.writer",
)


def warm_up() -> None:
    """Load what nearly every program of the zoo loads, and what watching and judging it needs."""
    for module in LOADED:
        import_module(module)


def run_in_fork(words: Sequence[str], folder: Path, seconds: float) -> int:
    """Run `stetho words…` in a fork, in a folder, with its output in the file `said`; its status, or `TOO_LONG`."""
    child = os.fork()
    if child == 0:
        _become(words, folder)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return TOO_LONG


def _become(words: Sequence[str], folder: Path) -> None:
    """Turn this fork into the process that `stetho words…` would be."""
    status = 1
    # We are a fork of a worker of a pool, which may have no children; a program may, as workers that load its data.
    current_process().daemon = False
    try:
        os.chdir(folder)
        said = os.open("said", os.O_WRONLY | os.O_CREAT)
        for stream, file in enumerate((os.open(os.devnull, os.O_RDONLY), said, said)):
            os.dup2(file, stream)
        # Whoever runs us may have made errors of warnings, and replaced these objects.
        warnings.resetwarnings()
        sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
        from stetho.__main__ import main

        status = main(list(words))
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        # Not the exit of the process that this one was forked from.
        os._exit(status)
