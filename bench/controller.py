"""The controller's end of one variant's process: start, take a turn, close, and say why when it does not answer."""

import json
import os
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.variants import Variant

ROOT = Path(__file__).resolve().parents[1]
SEARCH_PATH = os.pathsep.join([str(ROOT), str(ROOT / "src")])
"""The source beside the measurements is what is measured, wherever the environment was made."""
PATIENCE_SECONDS = 600


class WorkerFailed(Exception):
    """The variant's process could not start, raised, or did not answer."""


class Worker:
    """A child process that trains one variant of one workload."""

    def __init__(self, workload: str, variant: Variant, folder: Path) -> None:
        self.variant = variant
        self._folder = folder / f"{workload}-{variant.name}"
        self._folder.mkdir()
        self._step_seconds = 0.0
        self.warmed_up_steps = 0
        with (folder / f"{workload}-{variant.name}.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bench.worker", workload, variant.name, str(self._folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self._folder,
                env=self._environment(),
            )

    def _environment(self) -> dict[str, str]:
        threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        return {
            **os.environ,
            **threads,
            "PYTHONPATH": SEARCH_PATH,
            "WANDB_SILENT": "true",
            **self.variant.environment,
        }

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_error: object) -> None:
        assert self._process.stdin
        assert self._process.stdout
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def ready(self) -> None:
        """Waits until the variant is attached and warm."""
        warmed = self._read()["ready"]
        self._step_seconds = warmed["step_seconds"]
        self.warmed_up_steps = warmed["steps"]

    def turn(self, seconds: float) -> dict[str, float]:
        """Trains for about that many CPU seconds, at least one step."""
        steps = max(1, round(seconds / self._step_seconds))
        self._write(f"{steps}\n")
        done = self._read()
        # A step of the warm-up is dearer: a turn of few steps would mostly measure how a cold cache warms up.
        self._step_seconds = done["cpu"] / done["steps"]
        return done

    def close(self) -> dict[str, Any]:
        """Ends the variant; gives what it has to tell."""
        self._write("\n")
        return self._read() | {"warmed_up_steps": self.warmed_up_steps}

    def _write(self, text: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise WorkerFailed("its process has ended") from None

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout
        if not select.select([self._process.stdout], [], [], PATIENCE_SECONDS)[0]:
            raise WorkerFailed(f"no answer in {PATIENCE_SECONDS} s")
        line = self._process.stdout.readline()
        if not line:
            raise WorkerFailed(f"its process died with status {self._process.wait()}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise WorkerFailed(reply["error"])
        return reply
