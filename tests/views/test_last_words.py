"""How a run that came to a bad end is told afterwards."""

import json
from pathlib import Path

from stetho.explaining.report import ErrorReport
from stetho.explaining.scene import Explanation
from stetho.store.reader import Run
from stetho.store.writer import RunWriter
from stetho.views.last_words import last_words


def killed_run(folder: Path, *crashes: dict[str, object]) -> Run:
    gone = {"command": ["train.py"], "pid": 2**22 + 1, "machine": {"memory": 2**34}}
    writer = RunWriter.create(folder, "train", gone)
    writer.append("steps", {"step": 40, "tier": "full"})
    writer.append("memory", {"step": 40, "process": "main", "rss": 2**33})
    writer.flush()
    (writer.path / "crashes.jsonl").write_text("".join(json.dumps(each) + "\n" for each in crashes))
    return Run(writer.path)


def told(run: Run) -> str:
    return "\n".join(line for line, _ in last_words(run, 100))


def test_a_kill_is_told_with_step_and_memory(tmp_path: Path) -> None:
    text = told(killed_run(tmp_path))
    assert text == "  killed      after step 40, recorded up to 40; memory was 8.0 GiB of 16.0 GiB"


def test_a_kill_for_want_of_memory_says_so(tmp_path: Path) -> None:
    text = told(killed_run(tmp_path, {"kind": "gone", "step": 52, "killed_for_memory": 1, "memory_limit": 9 << 30}))
    assert "after step 52, recorded up to 40; memory was 8.0 GiB of 9.0 GiB" in text
    assert "want of memory" in text


def test_a_crash_is_told_with_its_layer_and_stack(tmp_path: Path) -> None:
    stacks = (
        'Fatal Python error: Bus error\n\nCurrent thread 0x01 (most recent call first):\n  File "a.py", line 3 in f'
    )
    crash = {"kind": "crash", "error": "Bus error", "signal": "SIGBUS", "step": 52, "where": "a.py:3", "layers": ["fc"]}
    run = killed_run(tmp_path, {**crash, "stacks": stacks, "native": ["abort (libc.so.6)"]})
    assert told(run).splitlines() == [
        "  crash       Bus error (SIGBUS) after step 52, in layer `fc` · a.py:3",
        "    Current thread 0x01 (most recent call first):",
        '      File "a.py", line 3 in f',
        "    ",
        "    Native stack (most recent call first):",
        "      abort (libc.so.6)",
    ]


def test_an_error_is_told_with_its_explanation(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    report = ErrorReport(
        "RuntimeError", "m", "a.py:3", None, (), Explanation("the sizes differ", (), ("nn.Linear(3, 2)",))
    )
    writer.write_json("error.json", report.document())
    writer.close({"exit": {"kind": "exception", "code": 1}})
    text = told(Run(writer.path))
    assert "the sizes differ" in text
    assert "stetho show --error" in text


def test_a_good_end_needs_no_words(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path, "train", {})
    writer.close({"exit": {"kind": "finished", "code": 0}})
    assert told(Run(writer.path)) == ""
