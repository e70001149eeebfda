"""`kill -9` of a recording process, at random moments, for real."""

import json
import subprocess
import sys
from pathlib import Path

from stetho.store.reader import open_run
from stetho.store.segments import list_spans

from .kill_rounds import LAYERS

ROUNDS = 60


def test_a_killed_recording_holds_every_step_that_was_flushed(tmp_path: Path) -> None:
    program = Path(__file__).with_name("kill_rounds.py")
    done = subprocess.run(
        [sys.executable, program, tmp_path, str(ROUNDS)], stdout=subprocess.PIPE, check=True, text=True
    )
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) == ROUNDS
    merged = 0
    for killed in rounds:
        run = open_run(killed["out"])
        assert run.state == "killed"
        steps = run.table("steps")["step"].to_pylist()
        assert steps == list(range(1, len(steps) + 1))
        assert len(steps) >= killed["flushed"] > 0
        for layer in range(LAYERS):
            found, values = run.values("act.rms", f"layer{layer}")
            assert found.tolist() == values.tolist() == list(range(1, len(found) + 1))
            assert len(found) >= killed["flushed"]
        merged += len(list_spans(run.path / "stats")) > 1
    assert merged > ROUNDS / 4, "too few were killed late enough for segments and merges to be at stake"
