from pathlib import Path

import numpy as np
import pytest
import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import ReduceLROnPlateau

from stetho.capture.torch.updates.plateaus import KEPT, Plateau


@pytest.fixture
def scheduler():
    return ReduceLROnPlateau(SGD([torch.zeros(1, requires_grad=True)], lr=0.1), mode="max", patience=0)


def told(scheduler, measured, line="train.py:1"):
    """The facts after the schedule was told these numbers, one in each step."""
    plateau = Plateau(scheduler)
    for step, one in enumerate(measured, 1):
        scheduler.step(one)
        plateau.stepped(scheduler, one, step, line)
    return plateau.facts()


def test_the_numbers_are_kept_with_their_steps_and_the_mode(scheduler):
    facts = told(scheduler, [0.5, 0.75, 1.0])
    assert (facts["mode"], facts["told_at"], facts["told"]) == ("max", [1, 2, 3], [0.5, 0.75, 1.0])


def test_every_lowered_rate_is_counted(scheduler):
    assert told(scheduler, [0.5, 0.6, 0.7])["cuts"] == 0
    assert told(scheduler, [0.6, 0.5, 0.8, 0.4])["cuts"] == 3


def test_a_rate_that_rises_is_no_cut(scheduler):
    plateau = Plateau(scheduler)
    scheduler.optimizer.param_groups[0]["lr"] = 0.2
    plateau.stepped(scheduler, 0.5, 1, "train.py:1")
    assert plateau.facts()["cuts"] == 0


def test_numbers_of_torch_and_numpy_count_too(scheduler):
    assert told(scheduler, [torch.tensor(0.5), np.float32(0.25), 1])["told"] == [0.5, 0.25, 1.0]


def test_what_is_no_number_is_left_out(scheduler):
    plateau = Plateau(scheduler)
    for step, measured in enumerate((None, "0.5", torch.ones(2), np.ones(2), 0.5), 1):
        plateau.stepped(scheduler, measured, step, "train.py:1")
    facts = plateau.facts()
    assert (facts["told_at"], facts["told"]) == ([5], [0.5])


def test_of_a_long_run_numbers_from_all_of_it_are_kept(scheduler):
    steps = told(scheduler, [0.5] * 1000)["told_at"]
    assert KEPT // 4 < len(steps) < KEPT
    assert steps[0] == 1
    assert steps[-1] > 900
    assert len(set(np.diff(steps))) == 1


def test_the_name_of_the_number_is_read_from_the_line(scheduler, tmp_path: Path):
    program = tmp_path / "train.py"
    program.write_text("plateau.step(val_accuracy)\n")
    facts = told(scheduler, [0.5], f"{program}:1")
    assert (facts["told_name"], facts["told_line"]) == ("val_accuracy", f"{program}:1")
