"""TrainCheck's trace collection on the MLP: it instruments and runs a script, so it cannot take turns with others."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.overhead import spread

PROGRAM = Path(__file__).with_name("traincheck_program.py")
WARM_UP_STEPS = 3
PATIENCE_SECONDS = 180


def measure(bare: Mapping[str, Any], folder: Path) -> dict[str, object]:
    """Time per step of the instrumented script over the bare time per step that was measured in the same run."""
    collect = Path(sys.executable).with_name("traincheck-collect")
    # It writes beside the script and puts that folder first on the path.
    program = shutil.copy(PROGRAM, folder)
    command: list[str | Path] = [
        collect,
        "--pyscript",
        program,
        "--models-to-track",
        "model",
        "--output-dir",
        folder / "trace",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=PATIENCE_SECONDS)
    except FileNotFoundError:
        return {"error": "traincheck-collect is not installed"}
    except subprocess.TimeoutExpired:
        return {"error": f"not finished in {PATIENCE_SECONDS} s"}
    steps = re.findall(r"seconds (\S+) ([\d.e-]+)", done.stdout + done.stderr)[WARM_UP_STEPS:]
    if not steps:
        reason = (done.stderr.strip().splitlines() or ["no output"])[-1]
        return {"error": f"exit status {done.returncode}: {reason}"}
    written = sum(file.stat().st_size for file in (folder / "trace").rglob("*") if file.is_file())
    return {
        "error": None,
        "bytes_per_step": written / (len(steps) + WARM_UP_STEPS),
        "cpu": spread([float(cpu) * 1e3 / bare["cpu_ms"] for cpu, _ in steps]),
        "wall": spread([float(wall) * 1e3 / bare["wall_ms"] for _, wall in steps]),
        "steps": len(steps),
    }
