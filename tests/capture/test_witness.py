"""Programs that crash or hang under watch: as bare to the outside, with stacks on stderr and in the run."""

import faulthandler
import importlib.util
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stetho.capture.native_stack import INTERPRETER
from stetho.capture.witness import Witness

PROGRAM = """
import faulthandler, ctypes, os, signal, sys, time
def step(number):
    {deed}
print("before", flush=True)
step(3)
print("after", flush=True)
"""

LAUNCHER = """
import sys
from pathlib import Path
from stetho.capture.launch import Program, run_program
from stetho.capture.witness import Witness

witness = Witness({hang})
witness.start()
witness.follow(Path("."), 41)
run_program(Program(sys.argv[1]), lambda ending: witness.stop())
"""


def watched(folder: Path, deed: str, hang: float | None = None) -> tuple[Any, list[dict[str, Any]]]:
    (folder / "program.py").write_text(PROGRAM.format(deed=deed))
    code = LAUNCHER.format(hang=hang)
    done = subprocess.run(
        [sys.executable, "-c", code, "program.py"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    file = folder / "crashes.jsonl"
    return done, [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.mark.parametrize(
    ("deed", "number"),
    [
        ("ctypes.string_at(0)", signal.SIGSEGV),
        ("os.abort()", signal.SIGABRT),
        ("os.kill(os.getpid(), signal.SIGFPE)", signal.SIGFPE),
        ("os.kill(os.getpid(), signal.SIGBUS)", signal.SIGBUS),
    ],
)
def test_a_crash_dies_of_its_signal_and_leaves_its_stacks(deed: str, number: signal.Signals, tmp_path: Path) -> None:
    done, records = watched(tmp_path, deed)
    assert (done.returncode, done.stdout) == (-number, "before\n")
    assert "after step 41" in done.stderr
    assert 'program.py", line 4 in step' in done.stderr
    assert records[0]["signal"] == number.name
    assert records[0]["where"].endswith("program.py:4")
    if importlib.util.find_spec("stetho.capture._stacks") is not None:
        assert INTERPRETER in records[0]["native"]
        assert INTERPRETER in done.stderr


def test_a_killed_program_leaves_its_last_step(tmp_path: Path) -> None:
    done, records = watched(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    assert (done.returncode, done.stderr) == (-9, "")
    assert (records[0]["kind"], records[0]["step"]) == ("gone", 41)


def test_a_program_that_ends_well_leaves_nothing(tmp_path: Path) -> None:
    done, records = watched(tmp_path, "pass")
    assert (done.returncode, done.stdout, done.stderr, records) == (0, "before\nafter\n", "", [])


@pytest.mark.skipif(not hasattr(signal, "SIGRTMAX"), reason="no real-time signals here")
def test_a_hang_is_told_and_nothing_is_ended(tmp_path: Path) -> None:
    fork = "child = os.fork() or time.sleep(3) or os._exit(0); time.sleep(2); os.waitpid(child, 0)"
    done, records = watched(tmp_path, fork, hang=0.5)
    assert (done.returncode, done.stdout) == (0, "before\nafter\n")
    assert "no step for" in done.stderr
    assert [record["kind"] for record in records] == ["hang", "hang"]
    assert records[0]["pid"] != records[1]["pid"]


def test_a_program_that_wants_the_stacks_itself_gets_them(tmp_path: Path) -> None:
    done, records = watched(tmp_path, "faulthandler.enable(); ctypes.string_at(0)")
    assert done.stderr.startswith("Fatal Python error: Segmentation fault")
    assert [record["kind"] for record in records] == ["gone"]


def test_everything_is_given_back() -> None:
    before = (faulthandler.is_enabled(), faulthandler.enable)
    witness = Witness()
    witness.start()
    witness.follow(None, 3)
    witness.stop()
    witness.stop()
    assert (faulthandler.is_enabled(), faulthandler.enable) == before
