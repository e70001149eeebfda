"""Tests of `stetho verify`."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from stetho.capture.identity import Mark
from stetho.commands.parser import parse
from stetho.commands.verify import Outcome, verdict, words_of
from stetho.config import make_options

MARKS = [Mark("step", n, f"p{n}", ("00",), {"torch": "t", "python": "p"}, 0.1) for n in range(1, 11)]
BARE = Outcome(MARKS, b"hello\n", 0)
SLOWER = replace(BARE, marks=[replace(mark, seconds=0.15) for mark in MARKS])


def test_equal_training_is_said_with_its_cost():
    lines, status = verdict([BARE, BARE], [SLOWER, SLOWER])
    assert status == 0
    assert lines[0].startswith("equal: 10 steps")
    assert "takes 1.50 times as long (median of 9 steps, middle half 1.50 to 1.50)" in lines[1]


def test_the_first_difference_is_named():
    marks = [*MARKS[:4], replace(MARKS[4], parameters="px"), *MARKS[5:]]
    lines, status = verdict([BARE, BARE], [BARE, replace(BARE, marks=marks)])
    assert (lines, status) == (["different at step 5: the parameters (p5 and px); bare first, watched second"], 1)


def test_a_program_that_differs_from_itself_is_told_the_way_out():
    other = replace(BARE, marks=[replace(mark, losses=("ff",)) for mark in MARKS])
    lines, status = verdict([BARE, other], [BARE, BARE])
    assert status == 1
    assert lines[0].startswith("not comparable: the bare program differs from itself at step 1: the loss")
    assert "--deterministic" in lines[1]


def test_a_generator_that_nobody_seeds_is_no_difference():
    unseeded = replace(BARE, marks=[replace(mark, random={"torch": "t", "python": "q"}) for mark in MARKS])
    assert verdict([BARE, unseeded], [BARE, unseeded])[1] == 0


@pytest.mark.parametrize(
    ("change", "message"), [({"status": 3}, "exit status: 0 bare, 3 watched"), ({"output": b"x"}, "standard output")]
)
def test_exit_status_and_output_count_too(change, message):
    lines, status = verdict([BARE, BARE], [BARE, replace(BARE, **change)])
    assert status == 1
    assert message in lines[0]


def test_a_status_that_findings_asked_for_is_no_difference():
    found = replace(BARE, status=3)
    assert verdict([BARE, BARE], [found, found], findings_count=True)[1] == 0
    assert verdict([BARE, BARE], [found, found])[1] == 1


def test_output_that_differs_from_run_to_run_is_not_held_against_us():
    lines, status = verdict([BARE, replace(BARE, output=b"0.1 s")], [BARE, BARE])
    assert status == 0
    assert "differs from run to run" in lines[0]


def test_a_program_without_training_cannot_be_compared():
    nothing = Outcome([], b"", 0)
    lines, status = verdict([nothing, nothing], [nothing, nothing])
    assert status == 1
    assert "no training step" in lines[0]


def test_options_survive_being_written_out_again():
    from stetho.commands import run

    given = {"every": "3", "layers": ["a*", "b"], "verbose": 2, "memory": True, "tensorboard": False, "dump": ["x@1-3"]}
    parsed = parse(run, [*words_of(given), "train.py"])
    again = {name: value for name, value in vars(parsed).items() if name != "program"}
    assert make_options(**again) == make_options(**given)


PROGRAM = """
import random, sys, torch
torch.set_num_threads(1)
if "seeded" in sys.argv:
    torch.manual_seed(0)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(4, 3) * (1 if "seeded" in sys.argv else random.random())
    loss = torch.nn.functional.dropout(model(x), 0.5).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step)
"""


MEDDLING = """
import stetho

class Draw(stetho.Callback):
    def on_step_end(self, step, row):
        import torch
        if step == 5:
            torch.rand(1)
"""


@pytest.fixture
def verify(tmp_path):
    """Runs `stetho verify` on a small program: `verify(*options, argument)`."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "meddling.py").write_text(MEDDLING)

    def run(options, *target):
        command = [sys.executable, "-m", "stetho", "verify", *options, *target]
        variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)

    return run


def test_proves_a_program_equal_also_one_that_seeds_nothing_itself(verify):
    done = verify(["--steps", "8", "--every", "1", "--deterministic"], "-m", "program")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.startswith("equal: 8 steps")


def test_sees_a_random_number_that_watching_takes_away(verify):
    done = verify(["--startup", "meddling:Draw"], "program.py", "seeded")
    assert done.returncode == 1
    assert done.stdout.startswith("different at step 6: the loss"), done.stdout
