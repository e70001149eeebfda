"""`stetho run`: the program's own output and exit, ours on stderr, a run on disk."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Stetho = Any

TRAINING = """
import sys
import torch
torch.set_num_threads(1)
torch.manual_seed(0)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(torch.randn(8, 4)), torch.zeros(8, dtype=torch.long))
    loss.backward()
    optimizer.step()
    print("step", step, sys.argv[1:])
{end}
"""


def training(folder: Path, end: str = "") -> None:
    (folder / "train.py").write_text(TRAINING.format(end=end))


def info(folder: Path) -> dict[str, Any]:
    (file,) = folder.glob("stetho-runs/*/run.json")
    read: dict[str, Any] = json.loads(file.read_text())
    return read


def test_records_and_sums_up_on_stderr(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path)
    done = stetho("run", "--every", "1", "train.py", "--every", "9")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "".join(f"step {step} ['--every', '9']\n" for step in range(5))
    assert re.match(r"stetho · [\d_-]+train · finished after .* s\n  program   train.py --every 9\n", done.stderr)
    assert "  steps     5" in done.stderr
    assert "\x1b" not in done.stderr
    (folder,) = (tmp_path / "stetho-runs").iterdir()
    assert f"  run       stetho-runs/{folder.name}\n\ndiagnosis · " in done.stderr
    assert info(tmp_path)["command"] == ["train.py", "--every", "9"]
    assert info(tmp_path)["options"]["every"] == 1


def test_a_failing_program_fails_as_itself_and_is_recorded_as_failed(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path, end="raise ValueError('no more')")
    done = stetho("run", "train.py")
    assert done.returncode == 1
    assert "ValueError: no more\n" in done.stderr
    assert "stetho/" not in done.stderr.partition("ValueError")[0]
    assert "error     ValueError: no more · train.py:14\n" in done.stderr.partition("stetho · ")[2]
    assert info(tmp_path)["exit"]["kind"] == "exception"


def test_a_program_that_changes_its_folder_is_recorded_where_it_began(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path)
    text = (tmp_path / "train.py").read_text()
    (tmp_path / "train.py").write_text(f"import os\nos.mkdir('sub')\nos.chdir('sub')\n{text}")
    done = stetho("run", "train.py")
    assert done.returncode == 0
    assert info(tmp_path)["exit"]["kind"] == "finished"
    (folder,) = (tmp_path / "stetho-runs").iterdir()
    assert f"  run       {folder}\n" in done.stderr


def test_quiet_says_nothing(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path)
    done = stetho("run", "-q", "--out", "elsewhere", "--name", "mine", "train.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert next((tmp_path / "elsewhere").iterdir()).name.endswith("_mine")


def test_the_wanted_number_of_steps_ends_the_program(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path, end="print('not reached')")
    done = stetho("run", "--steps", "3", "train.py")
    assert done.returncode == 0
    assert "not reached" not in done.stdout
    assert "stopped at the wanted step" in done.stderr


@pytest.mark.parametrize(("end", "status"), [("", 0), ("import sys; sys.exit(4)", 4)])
def test_a_program_without_training_says_so(end: str, status: int, stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(f"print('hello')\n{end}\n")
    done = stetho("run", "plain.py")
    assert (done.returncode, done.stdout) == (status, "hello\n")
    assert done.stderr == "stetho: nothing was recorded: the program did not import torch\n"
    assert not (tmp_path / "stetho-runs").exists()


def test_switched_off_is_off(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.stetho]\nevry = 3\n")
    (tmp_path / "plain.py").write_text("import sys; sys.exit('stetho.session' in sys.modules)")
    done = stetho("run", "plain.py", STETHO="0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_bad_settings_stop_before_the_program(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.stetho]\nevry = 3\n")
    (tmp_path / "plain.py").write_text("print('hello')")
    done = stetho("run", "plain.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("stetho: unknown option `evry`, did you mean `every`?")
    (tmp_path / "pyproject.toml").unlink()
    assert stetho("run", "--budget", "500%", "plain.py").stderr.startswith(
        "stetho: `--budget` (='500%') must be a share"
    )


def test_an_error_of_our_own_kind_in_the_program_is_the_programs(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("from stetho.errors import UsageError\nraise UsageError('of the program')\n")
    done = stetho("run", "plain.py")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback (most recent call last):\n")


def test_a_module_is_run_as_python_does(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__main__.py").write_text("import sys; print(__name__, sys.argv[1:])")
    done = stetho("run", "-m", "package", "-m", "x")
    assert done.stdout == "__main__ ['-m', 'x']\n"


def test_other_ranks_are_silent(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path)
    done = stetho("run", "train.py", RANK="1", WORLD_SIZE="2", LOCAL_RANK="1")
    assert (done.returncode, done.stderr) == (0, "")


OWN = '''
from stetho.checks.declare import check

@check(severity="{severity}")
def own_fault(window, *, least: int = 1):
    """Every run.

    ## What it finds
    Runs of at least `least` steps.
    ## Why it matters
    So.
    ## What to try
    This.
    ## When it is wrong
    Never.
    """
    return window.finding(f"there are {{window.count}} steps", confidence=0.99) if window.count >= least else None
'''


@pytest.fixture
def own_fault(tmp_path: Path) -> Callable[[str], list[str]]:
    """The words that add a check of our own and leave all others out."""

    def words(severity: str = "error") -> list[str]:
        (tmp_path / "own.py").write_text(OWN.format(severity=severity))
        return ["--checks", "own.py", "--select", "own-fault"]

    return words


def test_the_diagnosis_follows_the_summary(stetho: Stetho, tmp_path: Path, own_fault: Any) -> None:
    training(tmp_path)
    done = stetho("run", *own_fault(), "--json", "out.json", "train.py")
    assert done.returncode == 0
    assert "diagnosis · 1 error · 0 checks clear\n\n  error   there are 5 steps\n          own-fault · " in done.stderr
    document = json.loads((tmp_path / "out.json").read_text())
    (folder,) = (tmp_path / "stetho-runs").iterdir()
    assert document["run"] == str(folder)
    assert [finding["check"] for finding in document["findings"]] == ["own-fault"]
    lines = (folder / "findings.jsonl").read_text().splitlines()
    assert json.loads(lines[-1]) == {"step": 5, "is_final": True, **document["findings"][0]}


@pytest.mark.parametrize(
    ("severity", "threshold", "end", "status"),
    [
        ("error", "error", "", 3),
        ("warning", "error", "", 0),
        ("error", "error", "sys.exit(0)", 3),
        ("error", "error", "sys.exit(7)", 7),
        ("error", "error", "raise ValueError", 1),
    ],
)
def test_findings_set_the_exit_status_when_asked_to(
    severity: str, threshold: str, end: str, status: int, stetho: Stetho, tmp_path: Path, own_fault: Any
) -> None:
    training(tmp_path, end=end)
    done = stetho("run", "-q", *own_fault(severity), "--fail-on", threshold, "train.py")
    assert done.returncode == status


def test_steps_reached_counts_as_a_good_end(stetho: Stetho, tmp_path: Path, own_fault: Any) -> None:
    training(tmp_path)
    done = stetho("run", "-q", *own_fault(), "--fail-on", "error", "--steps", "3", "train.py")
    assert done.returncode == 3


def test_a_mistake_about_checks_is_told_and_does_not_hide_the_run(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path)
    done = stetho("run", "--select", "own-falt", "train.py")
    assert "  steps     5" in done.stderr
    assert "stetho: no diagnosis: unknown check `own-falt`" in done.stderr
    assert done.returncode == 2


def test_a_failing_check_is_told_and_changes_nothing(stetho: Stetho, tmp_path: Path, own_fault: Any) -> None:
    training(tmp_path)
    words = own_fault()
    (tmp_path / "own.py").write_text((tmp_path / "own.py").read_text().replace("window.count", "window.cont"))
    done = stetho("run", *words, "train.py")
    assert done.returncode == 0
    assert "1 skipped: own-fault failed: AttributeError: " in done.stderr


def test_an_error_is_explained_below_its_traceback_and_kept_in_the_run(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path, end="token = 'abc'\nbatch = torch.randn(8, 5)\nmodel(batch)")
    done = stetho("run", "train.py")
    assert done.returncode == 1
    traceback, _, ours = done.stderr.partition("\nstetho · RuntimeError in layer `model` · train.py:16\n")
    assert traceback.startswith("Traceback (most recent call last):\n")
    assert traceback.endswith("(8x5 and 4x2)\n")
    assert "      batch  float32[8, 5] cpu min" in ours
    assert "  why         `model` (Linear) takes 4 features in the last axis of its input, and got 5\n" in ours
    assert "  made at     train.py:15: batch = torch.randn(8, 5)\n" in ours
    assert "Traceback" not in ours
    shown = stetho("show").stdout
    assert "nn.Linear(5, 2)" in shown
    assert "      batch  float32[8, 5] cpu" in stetho("show", "--error").stdout
    assert json.loads(stetho("show", "--error", "--json").stdout)["explanation"]["name"] == "matrix-shapes"


@pytest.mark.parametrize(
    ("options", "end"),
    [(["-q"], "1 / 0"), ([], "sys.excepthook = lambda *_: print('own', file=sys.stderr)\n1 / 0")],
)
def test_a_quiet_run_and_a_program_that_prints_errors_itself_get_no_frames(
    options: list[str], end: str, stetho: Stetho, tmp_path: Path
) -> None:
    training(tmp_path, end=end)
    done = stetho("run", *options, "train.py")
    assert "stetho · ZeroDivisionError" not in done.stderr
    (folder,) = (tmp_path / "stetho-runs").iterdir()
    assert json.loads((folder / "error.json").read_text())["kind"] == "ZeroDivisionError"


def test_an_error_that_cannot_be_explained_is_pythons_own(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("import stetho.explaining as e\ndel e.explain\n1 / 0\n")
    done = stetho("run", "plain.py")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert "ZeroDivisionError: division by zero\nstetho: no more can be said about this error" in done.stderr


def test_a_crash_is_told_on_stderr_and_by_show(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path, end="import ctypes\nctypes.string_at(0)")
    done = stetho("run", "train.py")
    assert done.returncode == -11
    assert "stetho: Segmentation fault after step 5 · " in done.stderr
    shown = stetho("show").stdout
    assert " · crashed (SIGSEGV)" in shown
    assert "  crash       Segmentation fault (SIGSEGV) after step 5 · train.py:15\n" in shown


def test_a_crash_in_the_first_step_is_told_by_show_as_well(stetho: Stetho, tmp_path: Path) -> None:
    (tmp_path / "early.py").write_text("import ctypes\nctypes.string_at(0)\n")
    done = stetho("run", "--name", "early", "early.py")
    assert done.returncode == -11
    assert "stetho: Segmentation fault before the first step was done · " in done.stderr
    shown = stetho("show").stdout
    assert "_early · crashed (SIGSEGV)\n  program   early.py\n" in shown
    assert "  crash       Segmentation fault (SIGSEGV) before the first step was done · early.py:2\n" in shown


def test_a_folder_that_cannot_be_written_is_told_once(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path)
    (tmp_path / "taken").write_text("")
    done = stetho("run", "--out", "taken/runs", "train.py")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert "the program goes on unwatched: NotADirectoryError" in line


def test_a_dry_run_ends_after_the_first_step_with_its_diagnosis(stetho: Stetho, tmp_path: Path) -> None:
    training(tmp_path)
    program = tmp_path / "train.py"
    program.write_text(program.read_text().replace("model(torch.randn(8, 4))", "model(torch.randn(8, 4)).softmax(1)"))
    done = stetho("run", "--dry-run", "--fail-on", "warning", "train.py")
    assert done.stdout == ""
    assert "  steps     1\n" in done.stderr
    assert "double-softmax · step 1" in done.stderr
    assert done.returncode == 3
