"""Everything that `make bench` measures, as one JSON document.

python -m bench.suite measured.json [--quick]
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from bench import install, kernel, overhead, traincheck
from bench.coverage import cover
from bench.variants import VARIANTS

FULL = {"cnn": 240.0, "gpt": 130.0, "mlp": 90.0}
QUICK = {"cnn-half": 20.0, "gpt": 15.0, "mlp": 12.0}
"""Workload to the seconds of its interleaved part."""

PACKAGES = ("stetho", "torch", "numpy", "pyarrow", *install.PEERS.values(), *install.LOOKERS)


def measure(*, quick: bool) -> dict[str, object]:
    began = time.monotonic()
    failed = install.failures(Path(sys.prefix))
    plan = QUICK if quick else FULL
    result: dict[str, object] = {"machine": machine(), "versions": versions(), "quick": quick}
    result["coverage"] = {name: covered(name) for name in plan}
    result["overhead"] = {name: compared(name, seconds, failed) for name, seconds in plan.items()}
    result["store"] = alone("store")
    result["kernel"] = kernel.measure()
    result["checkpoints"] = alone("checkpoints")
    result["comparing"] = alone("comparing")
    result["profiling"] = alone("profiling")
    result["inspecting"] = alone("inspecting")
    return result | {"minutes": (time.monotonic() - began) / 60}


def covered(workload: str) -> dict[str, object]:
    say(f"coverage of {workload}")
    return cover(workload).as_dict()


def compared(workload: str, seconds: float, failed: dict[str, str]) -> dict[str, Any]:
    say(f"overhead on {workload}")
    variants = [variant for variant in VARIANTS[1:] if variant.name not in failed]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result = overhead.measure(workload, variants, seconds, folder)
        if workload == "mlp" and "traincheck" not in failed:
            result["variants"]["traincheck"] = traincheck.measure(result["bare"], folder)
    for variant, reason in failed.items():
        result["variants"][variant] = {"error": f"not installed: {reason}"}
    return result


def alone(module: str) -> dict[str, object]:
    """The figures of a module that measures in its own process, without torch in it."""
    say(module)
    command = [sys.executable, "-m", f"bench.{module}", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=install.ROOT)
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no output"])[-1]}
    found: dict[str, object] = json.loads(done.stdout)
    return found


def machine() -> dict[str, object]:
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9),
        "system": platform.platform(terse=True),
        "load": round(os.getloadavg()[0], 2),
        "date": datetime.now().strftime("%Y-%m-%d %H:%M"),
    }


def cpu_name() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text().splitlines() if facts.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def say(text: str) -> None:
    print(f"… {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    options.out.write_text(json.dumps(measure(quick=options.quick), indent=1) + "\n")


if __name__ == "__main__":
    main()
