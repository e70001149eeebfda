"""Kills a writing process at random moments, many times; prints a JSON line for each: the folder, and what was flushed.

A program of its own: the imports are paid once, and each round is a fork that knows nothing of the others.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

from stetho.records import Series
from stetho.store import table_writer
from stetho.store.format import MEASURES, SEAL_ROWS
from stetho.store.writer import RunWriter

LAYERS = 20


def write_for_ever(out: Path, report: int) -> None:
    """Record steps and report each one that has been flushed."""
    for table in SEAL_ROWS:
        SEAL_ROWS[table] = 700
    table_writer.SEAL_BATCHES = 5
    writer = RunWriter.create(out, "train", {})
    rows = np.zeros((LAYERS, 1 + len(MEASURES)))
    rows[:, 0] = np.arange(LAYERS)
    for number in range(LAYERS):
        writer.define(Series(number, 0, f"layer{number}", "act", "train"))
    step = 0
    while True:
        step += 1
        rows[:, 1:] = step
        writer.append_stats(step, rows.copy())
        writer.append("steps", {"step": step, "loss": float(step), "tier": "full"})
        if step % 3 == 0:
            writer.flush()
            os.write(report, step.to_bytes(8, "little"))


def kill_one(out: Path, flushes: int, delay: float) -> int:
    """Fork a writer, kill it `delay` seconds after so many flushes, and give the last step that it had flushed."""
    reader, report = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            write_for_ever(out, report)
        finally:
            os._exit(1)
    os.close(report)
    reported = b""
    while len(reported) < 8 * flushes:
        reported += os.read(reader, 8 * flushes)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while piece := os.read(reader, 1 << 16):
        reported += piece
    os.close(reader)
    return int.from_bytes(reported[-8:], "little")


def main(folder: Path, rounds: int) -> None:
    moments = random.Random(rounds)
    for turn in range(rounds):
        out = folder / str(turn)
        flushed = kill_one(out, moments.randint(1, 60), moments.uniform(0, 0.003))
        print(json.dumps({"out": str(out), "flushed": flushed}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
