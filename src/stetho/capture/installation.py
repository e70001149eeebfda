"""What is installed here, and what of a program can be watched with it. Nothing found wrong here may raise."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from stetho.config import read_options
from stetho.errors import UsageError

OLDEST_TORCH = (2, 4)
SECONDS_FOR_TORCH = 120

# In a process of its own: a broken installation may raise anything, or take the interpreter down with it.
ASK_TORCH = """
import json, torch
names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
mps = getattr(torch.backends, "mps", None)
names += ["mps"] if mps is not None and mps.is_available() else []
try:
    from stetho.stats.kernel import NAME, REASON
except Exception as error:
    NAME, REASON = "none", repr(error)
print("ANSWER" + json.dumps({"version": torch.__version__, "threads": torch.get_num_threads(), "devices": names,
    "distributed": torch.distributed.is_available(), "kernel": NAME, "because": REASON}))
"""

LIMITS = (
    ("compiled regions", "recorded at their boundary; `--eager` makes their layers visible"),
    ("TorchScript, exported and traced programs", "what is inside them runs no hooks; recorded at their boundary"),
    ("child processes", "loader workers count in the memory figures; nothing is watched inside them"),
    ("losses written by hand", "the value is seen, predictions and targets are not; so no accuracy"),
    ("other frameworks", "only PyTorch programs are watched"),
)

State = Literal["ok", "missing", "problem", "limit"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, and what to do about it."""

    subject: str
    state: State
    text: str
    advice: str | None = None


def examine(folder: Path) -> list[Finding]:
    """Look at everything that matters for watching a program from this folder."""
    torch = ask_torch()
    return [
        _python(),
        *_switched_off(),
        _torch(torch),
        *_devices(torch),
        *_packages(),
        _memory(),
        _out_folder(folder),
        _compiler(),
        *(Finding(subject, "limit", text) for subject, text in LIMITS),
    ]


def ask_torch(code: str = ASK_TORCH) -> dict[str, Any]:
    """What torch says about itself, or `{"problem": …}`."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS_FOR_TORCH, errors="replace"
        )
        answer = json.loads(done.stdout.rpartition("ANSWER")[2]) if "ANSWER" in done.stdout else None
    except subprocess.TimeoutExpired:
        return {"problem": f"did not answer within {SECONDS_FOR_TORCH} s"}
    except (OSError, ValueError) as error:
        return {"problem": str(error)}
    if isinstance(answer, dict):
        return answer
    if done.returncode < 0:
        return {"problem": f"importing it ended the process with signal {-done.returncode}"}
    last = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
    return {"missing": True} if "No module named 'torch'" in last else {"problem": last}


def _python() -> Finding:
    version = platform.python_version()
    return Finding("python", "ok", f"{version}, {sys.executable}; stetho {_version('stetho') or 'not installed'}")


def _switched_off() -> Iterator[Finding]:
    if os.environ.get("STETHO") == "0":
        yield Finding("STETHO", "problem", "STETHO=0 is set: nothing is watched", "unset STETHO")


def _torch(answer: dict[str, Any]) -> Finding:
    oldest = ".".join(map(str, OLDEST_TORCH))
    if "missing" in answer:
        return Finding("torch", "missing", "not installed: runs can be read, not recorded", _pip("torch"))
    if "problem" in answer:
        return Finding("torch", "problem", f"cannot be imported: {answer['problem']}", "install torch again")
    version = str(answer.get("version"))
    numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
    if numbers < OLDEST_TORCH:
        return Finding("torch", "problem", f"{version}; stetho needs {oldest} or later", _pip("torch"))
    return Finding("torch", "ok", f"{version}, supported ({oldest} or later)")


def _devices(answer: dict[str, Any]) -> Iterator[Finding]:
    if "version" in answer:
        names = ", ".join(map(str, answer.get("devices", []))) or "no accelerator"
        yield Finding("devices", "ok", f"cpu with {answer.get('threads')} of {os.cpu_count()} threads; {names}")
        yield _kernel(str(answer.get("kernel")), str(answer.get("because")))


def _kernel(name: str, reason: str) -> Finding:
    if name == "native":
        return Finding("kernel", "ok", f"native ({reason})")
    if name == "none":
        return Finding("kernel", "problem", f"tensors cannot be measured: {reason}", "install stetho again")
    advice = None if "STETHO_KERNEL" in reason else "install a C compiler, then stetho again"
    return Finding("kernel", "ok" if advice is None else "missing", f"plain torch operations: {reason}", advice)


def _packages() -> Iterator[Finding]:
    """Our own requirements, as the installed package itself lists them."""
    try:
        requirements = metadata.requires("stetho") or []
    except metadata.PackageNotFoundError:
        yield Finding("stetho", "problem", "runs from source and is not installed", "pip install -e .")
        return
    for requirement in requirements:
        package = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"](\w+)", requirement)
        if package in ("torch", "stetho"):
            continue
        if version := _version(package):
            yield Finding(package, "ok", version)
        elif extra:
            yield Finding(package, "missing", "optional, not installed", _pip(extra[1]))
        else:
            yield Finding(package, "problem", "needed and not installed", f"pip install {package}")


def _memory() -> Finding:
    try:
        import psutil

        full = psutil.Process().memory_full_info()
    except Exception as error:  # whatever a restricted system answers: it is a finding, not a failure
        return Finding("memory", "limit", f"only the resident size can be read: {type(error).__name__}: {error}")
    if not getattr(full, "pss", 0):
        return Finding("memory", "limit", "resident and unique size (RSS, USS); this system tells no shared size (PSS)")
    return Finding("memory", "ok", "resident, proportional and unique size (RSS, PSS, USS) can be read")


def _out_folder(folder: Path) -> Finding:
    try:
        out = folder / read_options({}, start=folder).out
    except UsageError as error:
        return Finding("options", "problem", str(error))
    existing = next(each for each in (out, *out.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
        free = shutil.disk_usage(existing).free / 1024**3
    except OSError as error:
        return Finding("runs", "problem", f"cannot be written ({error.strerror}): {out}", "stetho run --out DIR")
    return Finding("runs", "ok", f"recorded into {out}, {free:.1f} GiB free")


def _compiler() -> Finding:
    names = [os.environ.get("CXX"), "g++", "clang++", "c++", "cl"]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found:
        return Finding("compiler", "ok", f"torch.compile can use {found}")
    return Finding("compiler", "missing", "no C++ compiler: torch.compile will not work on the cpu", "install g++")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except Exception:  # a damaged installation: as good as none
        return None


def _pip(extra: str) -> str:
    return f"pip install 'stetho[{extra}]'"
