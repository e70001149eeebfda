"""Warnings name the line of the program, not ours that stand in between."""

import warnings

import pytest
import torch
from torch import nn

import stetho
from stetho.capture.torch.patches import Patches
from stetho.capture.unnoticed import unnoticed


class Old:
    """Warns its caller."""

    def call(self):
        warnings.warn("old", DeprecationWarning, stacklevel=2)
        return self


def warned(action):
    with pytest.warns() as caught:
        action()
    return [each.filename for each in caught]


def test_a_warning_behind_one_of_our_wrappers_names_the_caller():
    patches = Patches()
    patches.around(Old, "call", before=lambda *_: None)
    try:
        assert warned(lambda: Old().call()) == [__file__]
    finally:
        patches.undo()


def test_a_schedule_that_warns_names_the_line_of_the_program(tmp_path):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    with stetho.watch(model, optimizer, out=tmp_path):
        assert warned(schedule.step) == [__file__]


def test_functions_of_others_stay_as_they_are():
    def mine():
        return 1

    assert unnoticed(mine).__code__.co_filename == __file__
    assert unnoticed(len) is len
