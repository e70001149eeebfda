"""Runs every program once bare and once watched, each in a process of its own, and keeps the outcome for all tests.

Most of them start as forks of one process that has torch in memory, since importing it takes longer than the program.
Those of `COLD` start as a user starts them.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from stetho.capture.identity import Mark, read_fingerprint
from stetho.capture.torch.fingerprint import environment
from stetho.store.reader import Run, open_run

PROGRAMS = Path(__file__).parents[1] / "programs" / "healthy"

EVERYTHING_ON = ("--every", "1", "--dump", "*@1-3", "--print", "*", "--memory", "--tensorboard", "-v")
"""Every option that does not ask for another training (as --deterministic, --eager and --steps do)."""

ARGUMENTS = {"reads_stdin_and_argv": ("--lr", "0.05", "--", "--every", "7", "-m", "x")}
INPUTS = {"reads_stdin_and_argv": b"3 1 4 1 5 9 2 6 5 3 5 8 9 7 9\n"}
COLD = {
    "ddp",
    "exception_halfway",
    "no_training",
    "plain_loop",
    "reads_stdin_and_argv",
    "spawns",
    "torch_but_no_training",
    "transformers_from_config",
}
"""Programs whose start or end matters to what they show."""
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
DISTRIBUTED = {"ddp"}
ATTEMPTS = 6
"""Ranks close their connections in no order: gloo or its launcher may fail when all is done, a third of the time."""


@dataclass
class Execution:
    """What one process left behind."""

    folder: Path

    @cached_property
    def status(self) -> int:
        return json.loads((self.folder / "status").read_text())

    @cached_property
    def output(self) -> str:
        return (self.folder / "output").read_text()

    @cached_property
    def errors(self) -> str:
        return (self.folder / "errors").read_text()

    @cached_property
    def fingerprints(self) -> dict[str, list[Mark]]:
        """The marks of each process that trained: one, or one for each rank."""
        files = sorted(self.folder.glob("fingerprint.rank*")) or [self.folder / "fingerprint"]
        return {file.name: read_fingerprint(file) for file in files}

    @cached_property
    def runs(self) -> list[Path]:
        """The folders that were recorded into."""
        return sorted((self.folder / "stetho-runs").glob("*"))

    def run(self, rank: int | None = None) -> Run:
        assert len(self.runs) == 1, (self.runs, self.errors)
        return open_run(self.runs[0], rank=rank)


class WarmStart:
    """A process with torch in memory that forks for each program."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(self, words: list[str], folder: Path, variables: Mapping[str, str], kill_after: float | None = None) -> int:
        if self._process is None:
            script = Path(__file__).with_name("warm_start.py")
            self._process = subprocess.Popen(
                [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        request = {"words": words, "folder": str(folder), "variables": dict(variables), "kill_after": kill_after}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()


class Programs:
    """Runs programs; workers that test side by side share what was run already."""

    def __init__(self, folder: Path, warm: WarmStart) -> None:
        self._folder = folder
        self._warm = warm

    def bare(self, name: str) -> Execution:
        """The program alone, as `python program.py`."""
        return self._once(name, "bare", ())

    def watched(self, name: str, options: tuple[str, ...] = EVERYTHING_ON) -> Execution:
        """The program under `stetho run`."""
        return self._once(name, "watched" + "_".join(options).replace("*", "all"), ("-m", "stetho", "run", *options))

    def killed(self, name: str, seconds: float, folder: Path, *options: str) -> Execution:
        """The program under `stetho run`, killed so many seconds after it began."""
        (folder / "input").touch()
        words = ["-m", "stetho", "run", *options, str(PROGRAMS.parent / f"{name}.py")]
        status = self._warm.run(words, folder, {}, kill_after=seconds)
        (folder / "status").write_text(json.dumps(status))
        return Execution(folder)

    def _once(self, name: str, kind: str, prefix: tuple[str, ...]) -> Execution:
        folder = self._folder / name / kind
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / "lock"):
            if not (folder / "status").exists():
                execute(name, prefix, folder, None if name in COLD else self._warm)
        return Execution(folder)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    with file.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def execute(name: str, prefix: tuple[str, ...], folder: Path, warm: WarmStart | None = None, **added: str) -> Execution:
    launcher = TORCHRUN if name in DISTRIBUTED else ()
    words = [*launcher, *prefix, str(PROGRAMS / f"{name}.py"), *ARGUMENTS.get(name, ())]
    for attempt in range(ATTEMPTS):
        variables = environment(folder, folder / "fingerprint") | added
        (folder / "input").write_bytes(INPUTS.get(name, b""))
        status = (warm.run if warm else start)(words, folder, variables)
        if attempt == ATTEMPTS - 1 or not (status and name in DISTRIBUTED and failed_without_us(folder)):
            break
        clear(folder)
    (folder / "status").write_text(json.dumps(status))
    return Execution(folder)


def failed_without_us(folder: Path) -> bool:
    """Whether no line of ours stands in what the processes said of their failure."""
    return "/stetho/" not in (folder / "errors").read_text(errors="replace")


def clear(folder: Path) -> None:
    """Remove what a failed attempt left, except for the lock that the caller holds."""
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.name != "lock":
            entry.unlink()


def start(words: list[str], folder: Path, variables: Mapping[str, str]) -> int:
    """Run `python words…` as a process of its own."""
    with (
        (folder / "input").open("rb") as given,
        (folder / "output").open("wb") as output,
        (folder / "errors").open("wb") as errors,
    ):
        done = subprocess.run(
            [sys.executable, *words],
            cwd=folder,
            env={**os.environ, **variables},
            stdin=given,
            stdout=output,
            stderr=errors,
            check=False,
        )
    return done.returncode


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Programs]:
    """All programs, each run at most once in each way."""
    base = tmp_path_factory.getbasetemp()
    is_shared = "PYTEST_XDIST_WORKER" in os.environ
    folder = (base.parent if is_shared else base) / "programs"
    folder.mkdir(exist_ok=True)
    warm = WarmStart()
    yield Programs(folder, warm)
    warm.close()


@pytest.fixture
def start_watched(tmp_path: Path) -> Callable[..., Execution]:
    """Run a program watched, apart from the shared outcomes: `start_watched(name, *options, **variables)`."""

    def start(name: str, *options: str, prefix: tuple[str, ...] | None = None, **variables: str) -> Execution:
        return execute(name, prefix or ("-m", "stetho", "run", *options), tmp_path, **variables)

    return start
