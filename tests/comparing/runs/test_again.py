"""Programs that are to be run again."""

import os
import time
from pathlib import Path

import pytest

from stetho.comparing.runs.again import NotRunAgain, check_program, is_changed
from tests.comparing.trainings import Record


def test_a_program_that_is_gone_cannot_be_run_again(record: Record, tmp_path: Path) -> None:
    with pytest.raises(NotRunAgain, match="not there any more"):
        check_program(record(steps=1), ["gone.py"], tmp_path)


def test_a_module_is_looked_for_when_it_is_run(record: Record, tmp_path: Path) -> None:
    run = record(steps=1)
    check_program(run, ["-m", "package.train"], tmp_path)
    with pytest.raises(NotRunAgain):
        check_program(run, ["package.train"], tmp_path)


def test_a_program_that_was_written_to_since_is_told(record: Record, tmp_path: Path) -> None:
    run, program = record(steps=1), tmp_path / "train.py"
    run.info |= {"command": ["train.py"], "cwd": str(tmp_path)}
    program.write_text("")
    os.utime(program, (time.time() - 100,) * 2)
    assert not is_changed(run)
    os.utime(program, (time.time() + 100,) * 2)
    assert is_changed(run)
