"""Tests of the harness that fingerprints training."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from stetho.capture.identity import first_difference, read_fingerprint, steps_of
from stetho.capture.torch.fingerprint import content, environment, leaves_of, random_states

PROGRAM = """
import os, random, sys
assert "torch" not in sys.modules and "numpy" not in sys.modules
import torch
torch.manual_seed(0)
random.seed(0)
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    (model(torch.ones(2, 3)) ** 2).mean().backward()
    if step == 2 and "harm" in sys.argv:
        eval(sys.argv[-1])
    optimizer.step()
    if step == 1 and os.fork() == 0:
        optimizer.step()
        sys.exit(0)
    if step == 1:
        os.wait()
print(sys.modules.get("greeting"))
"""


@pytest.fixture(scope="module")
def fingerprint(tmp_path_factory):
    """Runs a program with the harness and gives its marks: `fingerprint(*arguments, steps=None, **variables)`."""
    program = tmp_path_factory.mktemp("program") / "program.py"
    program.write_text(PROGRAM)

    def run(*arguments, steps=None, **variables):
        folder = tmp_path_factory.mktemp("marks")
        added = environment(folder, folder / "fingerprint", steps=steps)
        path = os.pathsep.join(filter(None, [added["PYTHONPATH"], variables.pop("PYTHONPATH", None)]))
        command = [sys.executable, str(program), *arguments]
        variables = {**os.environ, **added, **variables, "PYTHONPATH": path}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        files = [file for file in folder.iterdir() if file.name.startswith("fingerprint")]
        return {file.name: read_fingerprint(file) for file in files}, done.stdout

    return run


@pytest.fixture(scope="module")
def marks(fingerprint):
    """The marks of the program as it is."""
    return fingerprint()[0]["fingerprint"]


def test_there_is_a_line_for_each_step_and_one_at_the_end(marks):
    assert [mark.event for mark in marks] == ["backward", "step", "step", "step", "step", "end"]
    assert [len(mark.losses) for mark in marks] == [1, 0, 1, 1, 1, 0]
    assert marks[-1].parameters == marks[-2].parameters
    assert all(mark.seconds > 0 for mark in marks)


def test_another_process_that_trains_the_same_writes_the_same(fingerprint, marks, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['greeting'] = 'hello'")
    others, output = fingerprint(RANK="3", PYTHONPATH=str(tmp_path))

    assert first_difference(marks, others["fingerprint.rank3"], {"numpy"}) is None
    assert output == "hello\n", "a site module of the user runs as it would without the harness"


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        ("model.weight.data[0, 0].nextafter_(torch.tensor(9.0))", "the parameters"),
        ("torch.rand(1)", "the random state of torch"),
        ("random.random()", "the random state of python"),
    ],
)
def test_the_smallest_change_is_seen_at_its_step(fingerprint, marks, harm, what):
    others, _ = fingerprint("harm", harm)
    difference = first_difference(marks, others["fingerprint"], {"numpy"})
    assert (difference.place, difference.what) == ("step 3", what)


def test_stops_the_program_cleanly_after_so_many_steps(fingerprint):
    marks, output = fingerprint(steps=2)
    assert [mark.step for mark in steps_of(marks["fingerprint"])] == [1, 2]
    assert output == ""


def test_content_is_the_bytes_of_the_values():
    assert content(torch.tensor([1.0, 2.0])) == bytes.fromhex("0000803f00000040")
    assert content(torch.eye(2).to_sparse()) == content(torch.eye(2))
    assert content(torch.zeros(2, 3).T) == bytes(24)


def test_leaves_are_found_once_each():
    weight, bias = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    loss = (weight * weight + bias).sum() + weight.sum()
    assert {id(leaf) for leaf in leaves_of([loss])} == {id(weight), id(bias)}
    assert len(list(leaves_of([loss]))) == 2
    assert list(leaves_of([weight.detach()])) == []


def test_reading_random_states_changes_none():
    assert random_states(torch) == random_states(torch)


def test_the_folder_that_brings_the_harness_in_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    variables = environment(tmp_path, Path("marks"))
    assert variables["PYTHONPATH"].split(os.pathsep) == [str(tmp_path), "/elsewhere"]
