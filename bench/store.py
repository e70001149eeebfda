"""What the store costs: writing 300 tensors a step, and reading one series and one step out of three million rows.

    python -m bench.store            prints the figures
    python -m bench.store --json     prints them as one JSON object

Writing is timed around every call, with flushes and seals in it, in wall and in CPU time; its growth is the last tenth
of the steps over the first. Reading is timed on a fresh run object (which opens its segments) and on one that has been
used, with the files in the page cache.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median

import numpy as np

from bench.figures import show
from stetho.records import Series
from stetho.store.format import MEASURES
from stetho.store.reader import open_run
from stetho.store.writer import RunWriter

TENSORS = 300
FLUSH_EVERY = 50
VARIETY = 64
READS = 25


def write(out: Path, steps: int) -> dict[str, float]:
    """Record `steps` steps with random values, and time each of them."""
    generator = np.random.default_rng(0)
    blocks = generator.lognormal(size=(VARIETY, TENSORS, 1 + len(MEASURES)))
    blocks[:, :, 0] = np.arange(TENSORS)
    writer = RunWriter.create(out, "bench", {})
    for number in range(TENSORS):
        writer.define(Series(number, 0, f"layer.{number}", "act", "train"))
    wall, processor = np.empty(steps), np.empty(steps)
    for step in range(steps):
        rows = blocks[step % VARIETY]
        began, began_processor = time.perf_counter(), time.process_time()
        writer.append_stats(step, rows)
        if step % FLUSH_EVERY == FLUSH_EVERY - 1:
            writer.flush()
        wall[step], processor[step] = time.perf_counter() - began, time.process_time() - began_processor
    writer.close({})
    size = sum(file.stat().st_size for file in (writer.path / "stats").iterdir())
    tenth = steps // 10
    return {
        "write_us_per_step": wall.mean() * 1e6,
        "write_cpu_us_per_step": processor.mean() * 1e6,
        "write_cpu_growth": processor[-tenth:].mean() / processor[:tenth].mean(),
        "write_longest_pause_ms": wall.max() * 1e3,
        "bytes_per_row": size / (steps * TENSORS),
    }


def read(out: Path, steps: int) -> dict[str, float]:
    """Read series and steps all over the run."""
    first_series, first_step, series, step = [], [], [], []
    used = open_run(out)
    for turn in range(READS):
        name = f"layer.{turn * 7 % TENSORS}"
        number = (turn * 997) % steps
        first_series.append(milliseconds(lambda name=name: open_run(out).values("act.rms", name)))
        first_step.append(milliseconds(lambda number=number: open_run(out).step(number)))
        series.append(milliseconds(lambda name=name: used.values("act.rms", name)))
        step.append(milliseconds(lambda number=number: used.step(number)))
    found, values = used.values("act.rms", "layer.1")
    assert len(found) == len(values) == steps
    assert used.step(steps // 2).num_rows == TENSORS
    return {
        "series_first_ms": median(first_series),
        "series_ms": median(series[1:]),
        "step_first_ms": median(first_step),
        "step_ms": median(step[1:]),
    }


def milliseconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1e3


def measure(steps: int, rounds: int) -> dict[str, float]:
    """All figures: the mean of the rounds for writing, reading out of the last one."""
    with tempfile.TemporaryDirectory(prefix="stetho-bench-") as folder:
        written = [write(Path(folder) / str(turn), steps) for turn in range(rounds)]
        read_back = read(Path(folder) / str(rounds - 1), steps)
    figures = {key: mean(one[key] for one in written) for key in written[0]}
    return {"rows": float(steps * TENSORS), **figures, **read_back}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10_000, help="steps of 300 rows each (default: 10000)")
    parser.add_argument("--rounds", type=int, default=3, help="how often the run is written (default: 3)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    show(measure(options.steps, options.rounds), as_json=options.json)


if __name__ == "__main__":
    main()
