"""Memory of this process and of its children."""

import os
import subprocess
import sys

import psutil
import pytest

from stetho.capture.memory import MemoryReader


@pytest.fixture
def child():
    """A process of ours that waits until the test is over."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.communicate(b"\n")


def test_the_process_itself_comes_first():
    (row, *_) = MemoryReader(dense=True).read()
    assert (row["pid"], row["process"]) == (os.getpid(), "main")
    assert 0 < row["uss"] <= row["rss"]
    assert row["rss"] == pytest.approx(psutil.Process().memory_info().rss, rel=0.5)


def test_children_are_there_by_name(child):
    rows = {row["pid"]: row for row in MemoryReader(dense=True).read()}
    assert rows[child.pid]["process"].startswith("python")
    assert rows[child.pid]["rss"] > 0


def test_the_dear_numbers_are_read_now_and_then_only():
    reader = MemoryReader(dense=False)
    detailed = ["uss" in next(iter(reader.read())) for _ in range(21)]
    assert [at for at, yes in enumerate(detailed) if yes] == [0, 10, 20]


def test_the_dear_numbers_are_read_always_when_asked_for():
    reader = MemoryReader(dense=True)
    assert all("uss" in next(iter(reader.read())) for _ in range(3))


def test_a_child_that_ends_while_we_look_is_left_out(monkeypatch):
    class Gone:
        pid = 1

        def name(self):
            raise psutil.NoSuchProcess(1)

    reader = MemoryReader(dense=False)
    monkeypatch.setattr(reader, "_children", lambda: [Gone()])
    assert [row["process"] for row in reader.read()] == ["main"]


def test_what_may_not_be_read_is_left_out(monkeypatch):
    def denied(_):
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil.Process, "memory_full_info", denied)
    (row, *_) = MemoryReader(dense=True).read()
    assert row["rss"] > 0
    assert "uss" not in row
