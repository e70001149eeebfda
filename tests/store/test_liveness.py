"""A run without an ending is running or was killed."""

import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from stetho.store.liveness import is_alive


def now() -> str:
    return datetime.now(UTC).isoformat()


def test_a_process_that_is_there_is_alive(tmp_path: Path) -> None:
    assert is_alive(tmp_path, {"pid": os.getpid(), "started": now(), "machine": {"host": platform.node()}})
    assert is_alive(tmp_path, {"pid": os.getpid(), "started": "no date"})


def test_a_process_that_has_ended_is_not(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert not is_alive(tmp_path, {"pid": ended.pid, "started": now()})


def test_a_process_that_nobody_has_waited_for_is_not(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert ended.stdout
    ended.stdout.read()
    for _ in range(1000):
        if not is_alive(tmp_path, {"pid": ended.pid, "started": now()}):
            break
        time.sleep(0.01)
    else:
        pytest.fail("a zombie counts as alive")
    ended.stdout.close()
    ended.wait()


def test_a_younger_process_with_the_same_number_is_another_one(tmp_path: Path) -> None:
    assert not is_alive(tmp_path, {"pid": os.getpid(), "started": "2001-01-01T00:00:00+00:00"})


def test_on_another_machine_a_run_is_alive_as_long_as_it_grows(tmp_path: Path) -> None:
    info = {"pid": os.getpid(), "started": now(), "machine": {"host": "elsewhere"}}
    assert not is_alive(tmp_path, info)
    tail = tmp_path / "stats" / "tail.arrows"
    tail.parent.mkdir()
    tail.touch()
    assert is_alive(tmp_path, info)
    os.utime(tail, (0, 0))
    assert not is_alive(tmp_path, info)


@pytest.mark.parametrize("pid", [None, "12", -1, 2**70, True])
def test_a_number_that_is_no_process_is_not_alive(tmp_path: Path, pid: object) -> None:
    assert not is_alive(tmp_path, {"pid": pid, "started": now()})
