"""Other processes, as /proc knows them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stetho.capture import processes
from stetho.capture.processes import command_of, descendants, handles, has_children, killed_for_memory, memory_limit

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc here")


def test_finds_children_and_who_handles_a_signal() -> None:
    code = "import signal, sys; signal.signal(signal.SIGUSR1, lambda *_: 0); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert child.pid in descendants(os.getpid())
        assert has_children()
        assert handles(child.pid, signal.SIGUSR1)
        assert not handles(child.pid, signal.SIGUSR2)
        assert child.stdin is not None
        child.stdin.close()


def test_a_process_that_is_gone_handles_nothing() -> None:
    assert not handles(2**22 + 1, signal.SIGUSR1)
    assert descendants(2**22 + 1) == []


def test_without_children_there_is_nobody_to_look_for(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("stetho.capture.processes.PROC", tmp_path)
    assert has_children(), "where the system does not tell, there may be some"
    (tmp_path / "self/task/7").mkdir(parents=True)
    (tmp_path / "self/task/7/children").write_bytes(b"")
    assert not has_children()
    (tmp_path / "self/task/7/children").write_bytes(b"12 ")
    assert has_children()


def test_counts_what_was_killed() -> None:
    assert killed_for_memory() >= 0


def test_a_process_is_known_by_its_command() -> None:
    assert "python" in command_of(os.getpid())
    assert command_of(2**30) == ""


@pytest.mark.parametrize(
    ("line", "file", "content", "limit"),
    [
        ("4:memory:/box/inner", "memory/box/memory.limit_in_bytes", "1000\n", 1000),
        ("4:memory:/box/inner", "memory/memory.limit_in_bytes", "9223372036854771712\n", None),
        ("0::/box", "box/memory.max", "2000\n", 2000),
        ("0::/box", "box/memory.max", "max\n", None),
        ("0::/../elsewhere", "memory.max", "3000\n", 3000),
    ],
)
def test_a_limit_of_memory_is_that_of_the_group_or_of_one_around_it(
    line: str, file: str, content: str, limit: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PROC", tmp_path / "proc")
    monkeypatch.setattr(processes, "GROUPS", tmp_path / "groups")
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "self" / "cgroup").write_text(f"2:cpu:/box\n{line}\n")
    (tmp_path / "groups" / file).parent.mkdir(parents=True)
    (tmp_path / "groups" / file).write_text(content)
    assert memory_limit() == limit
