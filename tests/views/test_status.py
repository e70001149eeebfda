"""The voice of stetho while a program runs."""

import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from stetho.records import Status
from stetho.views.status import StatusLine, status_text

STATUS = Status(step=7, loss=0.5, steps_per_second=10.0, overhead=0.02, tier="full")


def test_the_line_holds_step_loss_speed_and_our_share() -> None:
    assert status_text(STATUS) == "stetho · step 7 · loss 0.5 · 10 steps/s · watching 2.0 %"


def test_a_loss_that_was_not_seen_is_a_dash() -> None:
    unseen = Status(step=0, loss=None, steps_per_second=0.0, overhead=0.0, tier="clock")
    assert status_text(unseen) == "stetho · step 0 · loss – · 0 steps/s · watching 0 %"


def test_the_line_fits_into_eighty_columns() -> None:
    long = Status(step=12_345_678, loss=-1.23e-30, steps_per_second=123_456.0, overhead=0.0123, tier="full")
    assert len(status_text(long)) < 80


def test_a_pipe_gets_lines_and_nothing_live() -> None:
    stream = io.StringIO()
    line = StatusLine(stream)
    before = threading.active_count()
    line.start(lambda: STATUS)
    assert threading.active_count() == before
    line.say("one")
    line.stop()
    assert stream.getvalue() == "stetho: one\n"


def test_only_rank_zero_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    stream = io.StringIO()
    StatusLine(stream).say("one")
    assert stream.getvalue() == ""
    monkeypatch.setenv("RANK", "0")
    StatusLine(stream).say("one")
    assert stream.getvalue() == "stetho: one\n"


def test_a_closed_stream_is_no_error() -> None:
    stream = io.StringIO()
    line = StatusLine(stream)
    stream.close()
    line.say("one")
    line.say("two")


def test_stopping_without_starting_and_twice_is_fine() -> None:
    line = StatusLine(io.StringIO())
    line.stop()
    line.stop()


PROGRAM = """
import os, sys, threading, time
from stetho.records import Status
from stetho.views import status
from stetho.views.status import StatusLine

status.SECONDS_BETWEEN_UPDATES = 0.01
reads = threading.Semaphore(0)

def read():
    reads.release()
    return Status(step=7, loss=0.5, steps_per_second=10.0, overhead=0.02, tier="full")

def wait():
    for _ in range(3):
        reads.acquire()

line = StatusLine(quiet=len(sys.argv) > 1)
line.start(read)
if len(sys.argv) == 1:
    wait()
    assert "write" in vars(sys.stdout)
    child = os.fork()
    if not child:
        assert "write" not in vars(sys.stdout) and threading.active_count() == 1
        print("child")
        os._exit(0)
    os.waitpid(child, 0)
    wait()
print("parent")
line.say("ours")
line.stop()
assert "write" not in vars(sys.stdout) and threading.active_count() == 1
"""


def on_a_terminal(words: list[str], folder: Path) -> bytes:
    master, slave = os.openpty()
    done = subprocess.run([sys.executable, *words], stdin=slave, stdout=slave, stderr=slave, cwd=folder, timeout=60)
    os.set_blocking(master, False)
    seen = os.read(master, 1 << 20)
    os.close(slave)
    os.close(master)
    assert done.returncode == 0, seen.decode()
    return seen


def test_a_terminal_has_a_live_line_that_survives_forks_and_goes_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    seen = on_a_terminal(["program.py"], tmp_path).decode()
    assert "step 7 · loss 0.5" in seen
    assert "child\r\n" in seen
    assert "parent\r\n" in seen
    assert "stetho: ours\r\n" in seen
    assert seen.endswith(("ours\r\n", "\x1b[K"))


def test_quiet_has_no_live_line(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    assert on_a_terminal(["program.py", "quiet"], tmp_path) == b"parent\r\nstetho: ours\r\n"
