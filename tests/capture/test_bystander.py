"""The witness writes down what a dying process wrote, and knows an orderly end from a death."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stetho.capture.bystander import Bystander

CRASH = (
    b'Fatal Python error: Bus error\n\nCurrent thread 0x01 (most recent call first):\n  File "/a/net.py", line 3 in f\n'
)


def attended(folder: Path, monkeypatch: pytest.MonkeyPatch, *pieces: bytes) -> tuple[list[dict[str, Any]], str]:
    """What a witness leaves that hears these pieces: the records, and its words."""
    reader, writer = os.pipe()
    for piece in (b"\0run " + os.fsencode(folder) + b"\n", *pieces):
        os.write(writer, piece)
    os.close(writer)
    said: list[str] = []
    bystander = Bystander(os.getpid(), reader, lambda: 12, None, None)
    monkeypatch.setattr(bystander, "_step_aside", lambda: None)
    monkeypatch.setattr(bystander, "_say", said.append)
    bystander.attend()
    os.close(reader)
    file = folder / "crashes.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else [], "".join(said)


def test_an_orderly_end_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert attended(tmp_path, monkeypatch, b"\0bye\n") == ([], "")


def test_a_crash_is_recorded_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records, said = attended(tmp_path, monkeypatch, CRASH[:20], CRASH[20:])
    crash, gone = records
    assert (crash["kind"], crash["signal"], crash["step"], crash["where"]) == ("crash", "SIGBUS", 12, "/a/net.py:3")
    assert gone["kind"] == "gone"
    assert said.startswith("Bus error after step 12 · /a/net.py:3\n\nFatal Python error: Bus error")


def test_a_kill_is_recorded_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records, said = attended(tmp_path, monkeypatch)
    assert ([record["kind"] for record in records], said) == (["gone"], "")


def test_a_kill_for_want_of_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([3, 4])
    monkeypatch.setattr("stetho.capture.bystander.killed_for_memory", lambda: next(counts))
    records, said = attended(tmp_path, monkeypatch)
    assert records[-1]["killed_for_memory"] == 1
    assert "ran out of memory" in said


def test_a_stack_without_end_is_named_and_told_in_a_few_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (crash, _), said = attended(tmp_path, monkeypatch, CRASH + b'  File "/a/net.py", line 4 in g\n' * 99)
    assert (crash["signal"], crash["error"]) == ("SIGBUS", "Bus error, a stack overflow")
    assert said.startswith("Bus error, a stack overflow after step 12")
    assert said.count("line 4 in g") == 1
    assert "98 times more" in said


def test_a_child_that_could_not_answer_is_named_and_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    asked: list[int] = []
    bystander = Bystander(os.getpid(), -1, lambda: 12, 0.0, 10)
    monkeypatch.setattr(bystander, "_say", said.append)
    monkeypatch.setattr(bystander, "_ask", asked.append)
    module = "stetho.capture.bystander"
    monkeypatch.setattr(f"{module}.descendants", lambda _: [7, 8])
    monkeypatch.setattr(f"{module}.handles", lambda process, _: process != 8)
    monkeypatch.setattr(f"{module}.command_of", lambda process: f"server --number {process}")
    bystander._last_step = 12
    bystander._look_for_hang()
    assert asked == [os.getpid(), 7]
    assert said == ["its child 8 runs without stetho and is not asked: server --number 8\n"]


def test_a_hang_is_told_with_the_step_at_which_it_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    steps = iter([3, 3, 3])
    bystander = Bystander(os.getpid(), -1, lambda: next(steps, 12), 0.0, 10)
    monkeypatch.setattr(bystander, "_say", said.append)
    bystander._text = b'Current thread 0x01 (most recent call first):\n  File "/a/net.py", line 4 in g\n'
    next(steps), next(steps)
    bystander._tell()
    assert said[0].startswith("no step for 0 s after step 3; this is where the program is · /a/net.py:4")


def alone(monkeypatch: pytest.MonkeyPatch, make: Callable[[], Path], *pieces: bytes) -> None:
    """A witness whose program has no run as yet hears these pieces."""
    reader, writer = os.pipe()
    for piece in pieces:
        os.write(writer, piece)
    os.close(writer)
    bystander = Bystander(os.getpid(), reader, lambda: 0, None, None)
    bystander.make_run = make
    monkeypatch.setattr(bystander, "_step_aside", lambda: None)
    monkeypatch.setattr(bystander, "_say", [].append)
    bystander.attend()
    os.close(reader)


def kinds(folder: Path) -> list[str]:
    return [json.loads(line)["kind"] for line in (folder / "crashes.jsonl").read_text().splitlines()]


def test_a_crash_before_there_is_a_run_makes_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone(monkeypatch, lambda: tmp_path, CRASH)
    assert kinds(tmp_path) == ["crash", "gone"]


@pytest.mark.parametrize("pieces", [(), (b"\0bye\n",), (CRASH, b"\0bye\n")])
def test_nothing_is_made_for_a_program_that_is_just_gone_or_went_on(
    pieces: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone(monkeypatch, lambda: pytest.fail("a run was made"), *pieces)


def test_the_crash_of_a_child_waits_for_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = b"\0run " + os.fsencode(tmp_path) + b"\n"
    alone(monkeypatch, lambda: pytest.fail("a run was made"), CRASH, run, b"\0bye\n")
    assert kinds(tmp_path) == ["crash"]


def test_where_no_run_can_be_made_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Path:
        raise OSError

    alone(monkeypatch, make, CRASH)
