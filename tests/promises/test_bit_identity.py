"""Watching changes no bit: parameters, losses, random states, output and exit status are those of the bare program."""

import ast
import json
from pathlib import Path

import pytest

from stetho.capture.identity import first_difference

PROGRAMS = (Path(__file__).parent / "programs.txt").read_text().split()
"""Those that end within seconds with every option on."""
EVERY_PROGRAM = sorted(file.stem for file in (Path(__file__).parents[1] / "programs" / "healthy").glob("*.py"))

GENERATORS = {"python", "numpy"}
SEEDED = {"trainer_class": {"python"}, "hand_indexed": {"numpy"}}
"""A generator that the program does not seed starts elsewhere in every process; there only its position is compared."""

NO_STEPS = {"no_training", "torch_but_no_training"}
STOPPED_WITHOUT_CLEANING_UP = {"os_exit"}
OTHER_PROCESSES_SPEAK = {"ddp"}
"""The launcher's own lines carry times and process numbers."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_training_is_the_same_bit_by_bit(name, programs):
    bare, watched = programs.bare(name), programs.watched(name)

    assert bare.fingerprints.keys() == watched.fingerprints.keys()
    for process, marks in bare.fingerprints.items():
        difference = first_difference(marks, watched.fingerprints[process], GENERATORS - SEEDED.get(name, set()))
        assert difference is None, f"{name}, {process}: {difference}"
        if name not in NO_STEPS:
            assert len(marks) > 12
        if name not in NO_STEPS | STOPPED_WITHOUT_CLEANING_UP:
            assert marks[-1].event == "end"


@pytest.mark.parametrize("name", PROGRAMS)
def test_output_and_exit_status_are_the_same(name, programs):
    bare, watched = programs.bare(name), programs.watched(name)

    assert watched.output == bare.output
    assert watched.status == bare.status, watched.errors
    if name not in OTHER_PROCESSES_SPEAK:
        assert set(bare.errors.splitlines()) <= set(watched.errors.splitlines())


@pytest.mark.parametrize("name", PROGRAMS)
def test_watching_goes_on_to_the_end(name, programs):
    """An error of ours that was caught would let everything above pass."""
    watched = programs.watched(name)

    for file in (watched.folder / "stetho-runs").glob("**/run.json"):
        assert json.loads(file.read_text()).get("capture_error") is None
    assert watched.errors.count("Traceback") == programs.bare(name).errors.count("Traceback")


@pytest.mark.parametrize("name", EVERY_PROGRAM)
def test_every_program_says_what_it_shows_and_its_split(name):
    source = (Path(__file__).parents[1] / "programs" / "healthy" / f"{name}.py").read_text()
    sentence, split = ast.get_docstring(ast.parse(source)).split("\n\n")
    assert len(sentence.splitlines()) == 1
    assert split in ("split: train", "split: test")
