"""Whatever happens to the process or the disk: the run opens, holds what was flushed, and training goes on as bare."""

import os
import random

import pytest

import stetho

KILLS = 20
LOST_STEPS = 50
LOST_SECONDS = 2.5
"""One second is promised; the rest is for a machine that is busy with other things."""

SMALL_SEGMENTS = """
from stetho.store.format import SEAL_ROWS

def begin():
    SEAL_ROWS.update(steps=300, stats=900)
"""
"""Tables are sealed many times a second, so that a kill hits that moment too."""

FULL_DISK = """
import resource

def begin():
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
"""
"""From the beginning no file can grow beyond a few kilobytes: the first flushes succeed, the later ones do not."""


@pytest.fixture
def startup(tmp_path):
    """Writes a module that `--startup` calls in the watched process, and gives the option."""

    def write(source):
        (tmp_path / "prepared.py").write_text(source)
        return "--startup", "prepared:begin"

    return write


@pytest.mark.parametrize("attempt", range(KILLS))
def test_a_killed_run_opens_and_holds_what_was_flushed(attempt, programs, tmp_path, startup):
    delay = random.Random(attempt).uniform(0.3, 4.0)
    watched = programs.killed("endless", delay, tmp_path, "-q", "--every", "1", *startup(SMALL_SEGMENTS))

    complete = watched.output[: watched.output.rfind("\n") + 1]
    done = [[float(word) for word in line.split()] for line in complete.splitlines()]
    expected = sum(time < done[-1][2] - LOST_SECONDS for _, _, time in done[:-LOST_STEPS])
    if not watched.runs:
        assert expected == 0
        return
    run = watched.run()
    assert run.state == "killed"
    steps = run.table("steps")
    assert steps.num_rows >= expected
    assert steps["step"].to_pylist() == list(range(1, steps.num_rows + 1))
    assert all(loss == mine[1] for loss, mine in zip(steps["loss"].to_pylist(), done, strict=False))
    measured = run.query("select distinct step from stats where role = 'act' order by step")["step"].to_pylist()
    assert len(measured) >= expected
    assert measured == list(range(1, len(measured) + 1))


def assert_trained_as_bare(watched, bare):
    assert (watched.output, watched.status) == (bare.output, bare.status)
    warnings = [line for line in watched.errors.splitlines() if line]
    assert len(warnings) == 1, watched.errors
    assert warnings[0].startswith("stetho: ")


def test_a_folder_that_cannot_be_made_costs_one_warning(programs, start_watched, tmp_path):
    (tmp_path / "taken").write_text("a file, not a folder")
    watched = start_watched("plain_loop", "-q", "--every", "1", "--out", str(tmp_path / "taken" / "runs"))

    assert_trained_as_bare(watched, programs.bare("plain_loop"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for the superuser")
def test_a_folder_without_permission_costs_one_warning(programs, start_watched, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    watched = start_watched("plain_loop", "-q", "--out", str(tmp_path / "locked"))

    assert_trained_as_bare(watched, programs.bare("plain_loop"))


def test_a_full_disk_costs_one_warning_and_keeps_what_was_written(programs, start_watched, startup):
    bare = programs.bare("plain_loop")
    watched = start_watched(
        "plain_loop", "-q", "--every", "1", "--dump", "*@1-48", *startup(FULL_DISK), STETHO_FINGERPRINT=""
    )

    assert_trained_as_bare(watched, bare)
    run = watched.run()
    assert run.state in ("killed", "finished")
    assert run.table("steps").num_rows <= 48


def test_the_folder_of_the_run_may_vanish_while_it_is_written(tmp_path):
    import shutil

    import torch

    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with stetho.watch(model, optimizer, every=1, out=str(tmp_path / "runs")) as watch:
        for step in range(120):
            optimizer.zero_grad()
            model(torch.ones(3, 2)).mean().backward()
            optimizer.step()
            if step == 20:
                shutil.rmtree(watch.path)
    assert step == 119
