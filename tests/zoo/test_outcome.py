"""A fixed part of the zoo: programs of every family, diagnosed as a user would have them diagnosed."""

import pytest

from zoo.outcome import diagnose
from zoo.programs import FOLDER, read_program

FAULTY = (
    "gradients-not-zeroed__digits_mlp_flat",
    "graph-cut__numpy_round_trip",
    "optimizer-missing-parameters__head_only",
    "double-softmax__digits_module",
    "loss-broadcast__housing_mse",
    "wrong-loss-sign__policy_digits",
)
HEALTHY = ("plain_loop", "gan", "train_and_validate", "frozen_backbone")


@pytest.mark.parametrize("name", FAULTY)
def test_the_planted_fault_is_the_first_finding(name):
    outcome = diagnose(read_program(FOLDER / "faulty" / f"{name}.py"))
    assert outcome.problem is None
    assert outcome.is_first, outcome.alarms


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_program_stays_quiet(name):
    outcome = diagnose(read_program(FOLDER / "healthy" / f"{name}.py"))
    assert outcome.problem is None
    assert outcome.roots == []
