"""What is installed here: whatever is wrong becomes a finding."""

import builtins
import shutil
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from stetho.capture import installation
from stetho.capture.installation import ask_torch, examine


def found(folder: Path, subject: str) -> installation.Finding:
    return next(finding for finding in examine(folder) if finding.subject == subject)


@pytest.fixture
def torch_answers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    answer: dict[str, Any] = {"version": "2.13.0+cpu", "threads": 1, "devices": []}
    monkeypatch.setattr(installation, "ask_torch", lambda: answer)
    return answer


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("import no_torch", {"problem": "ModuleNotFoundError: No module named 'no_torch'"}),
        ("raise ImportError(\"No module named 'torch'\")", {"missing": True}),
        ("import os; os.kill(os.getpid(), 11)", {"problem": "importing it ended the process with signal 11"}),
        ("raise SystemExit(3)", {"problem": "exit status 3"}),
        ("print('chatter'); print('ANSWER{\"version\": \"9.9\"}')", {"version": "9.9"}),
    ],
)  # fmt: skip
def test_torch_is_asked_at_a_distance(code: str, answer: dict[str, Any]) -> None:
    assert ask_torch(code) == answer


def test_nonsense_from_torch_is_a_problem() -> None:
    assert "problem" in ask_torch("print('ANSWER{')")


def test_torch_that_hangs_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "SECONDS_FOR_TORCH", 0.2)
    assert ask_torch("import time; time.sleep(60)") == {"problem": "did not answer within 0.2 s"}


def test_an_old_torch_is_a_problem_with_a_way_out(tmp_path: Path, torch_answers: dict[str, Any]) -> None:
    torch_answers["version"] = "2.3.1"
    torch = found(tmp_path, "torch")
    assert (torch.state, torch.text) == ("problem", "2.3.1; stetho needs 2.4 or later")
    assert torch.advice == "pip install 'stetho[torch]'"


def test_a_missing_torch_leaves_reading(tmp_path: Path, torch_answers: dict[str, Any]) -> None:
    torch_answers.clear()
    torch_answers["missing"] = True
    assert found(tmp_path, "torch").text == "not installed: runs can be read, not recorded"


@pytest.mark.usefixtures("torch_answers")
def test_missing_packages_come_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(package: str) -> str:
        if package in ("pandas", "pyarrow"):
            raise metadata.PackageNotFoundError(package)
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    assert found(tmp_path, "pandas").advice == "pip install 'stetho[pandas]'"
    assert found(tmp_path, "pandas").state == "missing"
    assert found(tmp_path, "pyarrow").state == "problem"


@pytest.mark.usefixtures("torch_answers")
def test_a_system_that_tells_no_memory_is_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def fail(name: str, *rest: Any) -> Any:
        if name == "psutil":
            raise RuntimeError("not on this system")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", fail)
    assert found(tmp_path, "memory").text == "only the resident size can be read: RuntimeError: not on this system"


@pytest.mark.usefixtures("torch_answers")
def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "stetho-runs").write_text("a file")
    assert found(tmp_path, "runs").state == "problem"


@pytest.mark.usefixtures("torch_answers")
def test_no_compiler_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert found(tmp_path, "compiler").state == "missing"


@pytest.mark.usefixtures("torch_answers")
def test_being_switched_off_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STETHO", "0")
    assert found(tmp_path, "STETHO").advice == "unset STETHO"


@pytest.mark.parametrize(
    ("kernel", "because", "state", "text"),
    [
        ("native", "avx2, tensors by exchange", "ok", "native (avx2, tensors by exchange)"),
        ("torch", "asked for by STETHO_KERNEL=torch", "ok", "plain torch operations: asked for by STETHO_KERNEL=torch"),
        ("torch", "not built", "missing", "plain torch operations: not built"),
        ("none", "OSError()", "problem", "tensors cannot be measured: OSError()"),
    ],
)
def test_the_kernel_is_named_with_the_reason(
    tmp_path: Path, torch_answers: dict[str, Any], kernel: str, because: str, state: str, text: str
) -> None:
    torch_answers |= {"kernel": kernel, "because": because}
    finding = found(tmp_path, "kernel")
    assert (finding.state, finding.text) == (state, text)


def test_torch_is_asked_for_its_kernel() -> None:
    assert ask_torch()["kernel"] in ("native", "torch")
