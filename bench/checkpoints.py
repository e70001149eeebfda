"""What comparing two checkpoints costs, next to reading both files and one pass of numpy over them.

    python -m bench.checkpoints            prints the figures
    python -m bench.checkpoints --json     prints them as one JSON object

Two safetensors files of 1 GiB, in which every element differs, with their pages in the cache of the system. The pass is
the cheapest one that finds the largest difference: block by block, so that it stays in the cache of a core. Both are
timed in turn, in a process that did not write the files; the memory is the peak of that process over what it had.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
import psutil

from bench.figures import show
from stetho.checkpoints.diffing import diff_checkpoints
from stetho.checkpoints.opening import open_checkpoint
from stetho.store.tensors import write_tensors

SHAPE = (4096, 1024)
BLOCK = 1 << 18
MIB = 1 << 20


def write(folder: Path, tensors: int) -> None:
    """Two checkpoints that differ everywhere."""
    generator = np.random.default_rng(0)
    first = {f"layer{number}.weight": generator.normal(size=SHAPE).astype(np.float32) for number in range(tensors)}
    second = {name: array * np.float32(1.001) for name, array in first.items()}
    write_tensors(folder / "first.safetensors", first)
    write_tensors(folder / "second.safetensors", second)


def read_and_pass(first: Path, second: Path) -> float:
    """Seconds to read both files and to find the largest difference of every tensor, with nothing else done."""
    places = [(one.stored.offset, one.nbytes) for one in open_checkpoint(first).values()]  # type: ignore[attr-defined]
    buffers = np.empty((2, BLOCK), np.float32)
    began = time.perf_counter()
    with first.open("rb", buffering=0) as one, second.open("rb", buffering=0) as other:
        for offset, size in places:
            one.seek(offset)
            other.seek(offset)
            largest = 0.0
            for _ in range(size // buffers[0].nbytes):
                one.readinto(buffers[0].data)
                other.readinto(buffers[1].data)
                largest = max(largest, float(np.abs(buffers[0] - buffers[1]).max()))
    return time.perf_counter() - began


def compare(first: Path, second: Path) -> float:
    """Seconds to compare both files."""
    began = time.perf_counter()
    assert diff_checkpoints(first, second).count("same") == 0
    return time.perf_counter() - began


def work(folder: Path, rounds: int) -> dict[str, float]:
    """Both in turn, and the memory that it took."""
    paths = folder / "first.safetensors", folder / "second.safetensors"
    read_and_pass(*paths)
    before = psutil.Process().memory_info().rss
    turns = [(read_and_pass(*paths), compare(*paths)) for _ in range(rounds)]
    peak = peak_memory()
    return {
        "read_and_pass_s": median(one for one, _ in turns),
        "diff_s": median(other for _, other in turns),
        "diff_over_reading": median(other / one for one, other in turns),
        "diff_memory_mib": (peak - before) / MIB,
    }


def peak_memory() -> int:
    """The most memory that this process ever had. What `getrusage` tells is also that of the process it came from."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def measure(tensors: int, rounds: int) -> dict[str, float]:
    """All figures, measured in a process of their own."""
    with tempfile.TemporaryDirectory(prefix="stetho-bench-") as folder:
        write(Path(folder), tensors)
        command = [sys.executable, "-m", "bench.checkpoints", "--rounds", str(rounds), "--work", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tensors", type=int, default=64, help="tensors of 16 MiB in each file (default: 64)")
    parser.add_argument("--rounds", type=int, default=5, help="how often both are timed (default: 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        print(json.dumps(work(options.work, options.rounds)))
        return
    show(measure(options.tensors, options.rounds), as_json=options.json)


if __name__ == "__main__":
    main()
